# Before any prompt or tool: no file may be written over the journal, and so Ctrl-C waits until this has run.
import sys

import micropython

micropython.kbd_intr(-1)
sys.path[:] = [".frozen", "/"]
try:
    import root

    root.remount()
except Exception as error:
    print("boot: the file system is not kept within its share:", error)
micropython.kbd_intr(3)
