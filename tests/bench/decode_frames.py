"""Device codec as a filter, for CPython and MicroPython: u32 length and bytes in; u32 count and whole frames out."""

import struct
import sys


def main(folder):
    sys.path.insert(0, folder)
    from shoe.line.wire import HEADER_SIZE, OK, FrameReader

    reader = FrameReader()
    come = sys.stdin.buffer
    go = sys.stdout.buffer
    while True:
        head = come.read(4)
        if not head or len(head) < 4:
            return
        data = come.read(struct.unpack("<I", head)[0])
        out = []
        at = 0
        while at < len(data):
            at = reader.feed(data, at, len(data))
            if reader.status == OK:
                out.append(bytes(reader.buffer[: HEADER_SIZE + reader.length]))
        go.write(struct.pack("<I", len(out)) + b"".join(out))
        if hasattr(go, "flush"):
            go.flush()


main(sys.argv[1])
