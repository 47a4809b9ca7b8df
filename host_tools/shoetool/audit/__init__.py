"""Many shoes compared with chance: shuffle, deal and equipment against exact expectation.

The way of the data: `read` makes a small summary of one history, in a worker. `book` takes the summaries one after the
other and keeps sums alone. `within` looks at the order of the cards in one shoe, `between` at two shoes of one batch
that followed each other, `chances` at what was dealt, `cover` at the cover card, `peers` at each device beside the
others. `first_hands` looks at the optional wagers on the deal, `dealer_wagers` at those on the dealer's hand, with
`dealer_suits` and `dealer_poker` for what his suits and ranks make of them. `moments` has exact means and variances,
`tails` the probabilities, `line` a test's result and how all of them are judged together. `daily` is the report of one
table.
"""
