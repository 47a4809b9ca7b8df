"""Histories from a shoe: files (`store`), their chain of pages (`chain`), the clocks of devices (`clock`)."""
