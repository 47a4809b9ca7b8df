"""A package, so that its tests may be called as others of the tree are."""
