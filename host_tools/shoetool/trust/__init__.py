"""Who signed a history: LMS verification, statements, keys, pins, and the names of the findings about it."""
