"""One table: a stream of records folded into what lies on it (`stream`, `table`), its rounds, whose turn it is."""
