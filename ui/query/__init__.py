"""One question's context: cards, budget, stages, reasons, export."""
