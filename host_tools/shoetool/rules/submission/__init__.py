"""The rules submission of a table: `rules` holds it, `file` reads it, `checks` finds what the regulation forbids."""
