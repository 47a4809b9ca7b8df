# Before any prompt or tool: no file may be written over the journal.
import sys

sys.path[:] = [".frozen", "/"]
try:
    import root

    root.remount()
except Exception as error:
    print("boot: the file system is not kept within its share:", error)
