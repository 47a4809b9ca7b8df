"""An archive of histories: a folder that keeps them, a custody log of who added which, and an index to find rounds.

`custody` is the log, a line for each added history, chained by SHA-256. `keeper` adds histories. `index` is an SQLite
database that is made from files and log alone. `check` proves that all three agree. `dealt` reads the rounds of a
history.
"""
