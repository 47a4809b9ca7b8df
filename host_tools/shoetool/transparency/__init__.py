"""A transparency log of signed heads in the C2SP formats: anybody can check offline that no shoe was withheld.

LOG_FORMAT.md has the entries, the files and the keys.
"""
