"""Exact odds: what each wager pays on average, counted over every deal and every hand of the dealer.

Counts are int and probabilities `Fraction`: nothing is simulated, and nothing is rounded before it is printed.
"""
