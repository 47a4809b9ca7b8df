"""The output for people: cards, tables, histories and findings as text for a terminal or a pipe."""
