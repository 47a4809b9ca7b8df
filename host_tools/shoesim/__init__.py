"""The simulator: how cards are printed and pulled, a dealer who can err, and the virtual board as a process."""
