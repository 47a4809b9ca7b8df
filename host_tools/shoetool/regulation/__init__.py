"""The rules of play as data: games, wagers, paytables, and the engines that play and settle a round."""
