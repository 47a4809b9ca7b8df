"""Round files and table records: `file` reads them, `play` plays a round by the rules, `paid` compares payments."""
