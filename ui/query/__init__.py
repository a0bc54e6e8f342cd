"""The context of one question: cards, tokens, stages, reasons, export."""
