"""Random numbers for tests and campaigns that are the same on every interpreter."""


class Rng:
    """The same numbers on every interpreter."""

    def __init__(self, seed):
        self._state = (seed * 40503 + 12345) & 0x3FFFFFFF

    def below(self, n):
        """A number from 0 to n - 1."""
        self._state = (self._state * 1103515245 + 12345) & 0x3FFFFFFF
        return (self._state >> 8) % n

    def data(self, n):
        """n bytes."""
        return bytes([self.below(256) for _ in range(n)])
