"""What people read: cards, tables, histories and findings as text for a terminal or a pipe."""
