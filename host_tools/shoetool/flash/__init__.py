"""Put the firmware onto a board with a stock MicroPython, over its USB port."""
