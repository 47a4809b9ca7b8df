"""The rules of play: games, wagers and paytables as data, and the engines that play and settle a round."""
