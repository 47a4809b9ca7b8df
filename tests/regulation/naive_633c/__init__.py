"""A second opinion on ch. 633c: one module a section, written from the text alone."""
