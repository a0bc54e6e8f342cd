"""What a question asks for: intent, entities, clauses, spelling."""
