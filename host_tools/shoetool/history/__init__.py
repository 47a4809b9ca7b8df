"""Histories off a shoe: files (`store`), their chain of pages (`chain`), device clocks (`clock`), replay (`replay`)."""
