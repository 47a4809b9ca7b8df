# The card stop at the prompt: mpremote run board/bringup/card_stop.py draws it back three times, for two seconds each.
#
# It needs nothing but MicroPython. Whatever ends it, the pin is low again and the spring holds the cards.
# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
import time

from machine import Pin

CARD_STOP = 22
stop = Pin(CARD_STOP, Pin.OUT, value=0)
try:
    for _ in range(3):
        print("drawn back: a card passes")
        stop.value(1)
        time.sleep(2)
        print("let go: the spring holds the cards")
        stop.value(0)
        time.sleep(2)
finally:
    stop.value(0)
