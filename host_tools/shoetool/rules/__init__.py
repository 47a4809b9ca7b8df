"""One edition of the rules as declarations: games, wagers, paytables, clauses, and rules submissions."""
