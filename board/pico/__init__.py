"""The board interface of board/README.md on an RP2040."""
