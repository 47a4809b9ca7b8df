"""Round files and table records: `file` reads them, `play` plays a round by the rules, `paid` compares payments.

`dealt_round` and `dealt_play` take the cards of a round from a history instead.
"""
