"""The rules submission of a table: `rules` holds it, `file` reads it, `checks` say what the regulation refuses."""
