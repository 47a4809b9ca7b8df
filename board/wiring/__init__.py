"""The wiring of the shoe's electronics: parts.toml, checked against pins.py, and what is written from it.

For the host's Python, not for the board. `python -m wiring` writes WIRING.md, wiring.svg and shoe.net; `--check`
compares them.
"""
