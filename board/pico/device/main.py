# Start the firmware of the slot that is whole; see start.py.
import sys

sys.path[:] = [".frozen", "/"]
import start  # noqa: E402

start.main()
