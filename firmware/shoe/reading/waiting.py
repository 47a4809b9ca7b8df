"""What left the card sensor where it had come in, until something shows if it came back or went out."""

from shoe.reading.track import BASE, PLACE, SEEN, TOP


class Waiting:
    """How a head stood when the thing left: place, base and top in quarter cells, how long it had been there (µs)."""

    def __init__(self):
        self.place = self.base = self.us = 0
        self._top = self._seen = self._edges = 0

    def keep(self, state, duration, edges):
        """The thing left after `duration` µs and `edges` edges; count anew from its place."""
        self.us = duration
        self.place = state[PLACE]
        self.base = state[BASE]
        self._top = state[TOP]
        self._seen = state[SEEN]
        self._edges = edges
        state[BASE] = state[TOP] = state[PLACE]

    def goes_on(self, state):
        """It is under the card sensor again, too fast for another one: all of it counts. Return its edges."""
        state[BASE] = min(state[BASE], self.base)
        state[TOP] = max(state[TOP], self._top)
        state[SEEN] |= self._seen
        return self._edges
