"""Rounds of a history as a dispute sees them: what was dealt, what was due, what was found, and who signed it.

One round is a case, those of a history are a night. `gather` puts the facts together, `told` and `told_night` put them
into words, `page`, `sheet` and `csv_files` draw the words.
"""
