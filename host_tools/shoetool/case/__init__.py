"""One round of a history as a dispute sees it: what was dealt, what was due, what was found, and who signed it."""
