"""Settling a round: what every wager wins or loses, in the order of the regulation. `engine` is the way in."""
