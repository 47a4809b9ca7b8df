"""Damage frames by the million and see that a codec never takes a wrong one for right, and finds the next right one.

    python tests/bench/frame_campaign.py --frames 10000000 --codec host --seed 1 --jobs 2
    python tests/bench/frame_campaign.py --frames 200000 --codec device
    python tests/bench/frame_campaign.py --frames 200000 --codec device --micropython build/micropython/micropython-i386

Each damaged frame is followed by an intact one with a number of its own. A *false accept* is a decoded frame that
differs from every intact frame which the damaged bytes were made of (a splice may leave a whole frame whole; chance
alone accepts one damaged frame in 2^32 whose length fits). A *resync failure* is a following intact frame that was not
decoded. A frame that comes out although its bytes were damaged, because the damage only touched what lies outside of
the code (delimiters, bytes before or behind), is counted as *unharmed*. Exit code 1 when either count is not 0.
"""

from __future__ import annotations

import argparse
import multiprocessing
import struct
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "host_tools"), str(ROOT / "firmware"), str(Path(__file__).parent)]

from damage import KINDS, Sent, damage, make_frame  # noqa: E402
from shoe.line.wire import HEADER_SIZE, OK, FrameReader  # noqa: E402
from shoetool.wire.decoder import FrameDecoder  # noqa: E402
from shoetool.wire.frames import (  # noqa: E402
    VERSION,
    Frame,
    encode_frame,
)

Fields = tuple[int, int, int, int, bytes]
Decode = Callable[[bytes], list[Fields]]
BATCH = 250
POOL = 400
RENEW = 100_000  # damaged frames between two pools


def host_codec() -> Decode:
    """The host's decoder, one for the whole run, so that what it keeps from batch to batch is tested too."""
    decoder = FrameDecoder()

    def decode(data: bytes) -> list[Fields]:
        return [(f.version, f.kind, f.epoch, f.sequence, f.payload) for f in decoder.feed(data) if isinstance(f, Frame)]

    return decode


def device_codec() -> Decode:
    """The device's reader on CPython."""
    reader = FrameReader()

    def decode(data: bytes) -> list[Fields]:
        found = []
        at, end = 0, len(data)
        while at < end:
            at = reader.feed(data, at, end)
            if reader.status == OK:
                payload = bytes(reader.buffer[HEADER_SIZE : HEADER_SIZE + reader.length])
                found.append((reader.version, reader.kind, reader.epoch, reader.sequence, payload))
        return found

    return decode


def micropython_codec(program: str) -> Decode:
    """The device's reader under MicroPython, as a process."""
    command = [program, "-X", "heapsize=1m", str(Path(__file__).with_name("decode_frames.py")), str(ROOT / "firmware")]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None and process.stdout is not None
    to, back = process.stdin, process.stdout

    def decode(data: bytes) -> list[Fields]:
        to.write(struct.pack("<I", len(data)) + data)
        to.flush()
        found = []
        for _ in range(struct.unpack("<I", back.read(4))[0]):
            version, kind, epoch, sequence, length = struct.unpack("<BBHHH", back.read(HEADER_SIZE))
            found.append((version, kind, epoch, sequence, back.read(length)))
        return found

    return decode


def campaign(decode: Decode, frames: int, seed: int) -> Counter[str]:
    """Run so many damaged frames through a codec; return counts by damage kind, and of what came out."""
    rng = Random(seed)
    names = list(KINDS)
    counts: Counter[str] = Counter()
    pool: list[Sent] = []
    done = 0
    while done < frames:
        if done % RENEW == 0:
            pool = [make_frame(rng) for _ in range(POOL)]
        stream = bytearray()
        trials = []
        for index in range(min(BATCH, frames - done)):
            name = rng.choice(names)
            bad = damage(rng, name, pool)
            number = (done + index).to_bytes(8, "little")
            follower = (VERSION, 64, 0xBEEF, index, number)
            stream += bad.data + encode_frame(64, 0xBEEF, index, number)
            trials.append(({part.fields for part in bad.made_of}, follower))
            counts[name] += 1
        done += len(trials)
        judge(decode(bytes(stream)), trials, counts)
    return counts


def judge(found: list[Fields], trials: list[tuple[set[Fields], Fields]], counts: Counter[str]) -> None:
    """Match what came out against what was sent, follower by follower."""
    place = {follower: index for index, (_, follower) in enumerate(trials)}
    at = 0
    for fields in found:
        index = place.get(fields)
        if index is not None:
            counts["resync failures"] += max(0, index - at)
            at = index + 1
        elif at < len(trials) and fields in trials[at][0]:
            counts["unharmed"] += 1
        else:
            counts["false accepts"] += 1
            print("FALSE ACCEPT", fields, file=sys.stderr)
    counts["resync failures"] += len(trials) - at


def _job(codec: str, micropython: str | None, frames: int, seed: int) -> Counter[str]:
    if codec == "host":
        decode = host_codec()
    else:
        decode = micropython_codec(micropython) if micropython else device_codec()
    return campaign(decode, frames, seed)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--frames", type=int, default=100_000, help="damaged frames altogether")
    parser.add_argument("--codec", choices=("host", "device"), default="host")
    parser.add_argument("--micropython", help="run the device codec under this MicroPython instead of CPython")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    print(
        f"codec {options.codec}, {options.frames} damaged frames, seed {options.seed}, jobs {options.jobs}", flush=True
    )
    share = -(-options.frames // options.jobs)
    start = time.monotonic()
    work = [(options.codec, options.micropython, share, options.seed * 1000 + job) for job in range(options.jobs)]
    if options.jobs == 1:
        results = [_job(*work[0])]
    else:
        with multiprocessing.Pool(options.jobs) as processes:
            results = processes.starmap(_job, work)
    counts: Counter[str] = sum(results, Counter())
    took = time.monotonic() - start
    total = sum(counts[name] for name in KINDS)
    for name in KINDS:
        print(f"  {name:<12} {counts[name]:>10}")
    print(f"damaged frames   {total}")
    print(f"unharmed         {counts['unharmed']}")
    print(f"false accepts    {counts['false accepts']}")
    print(f"resync failures  {counts['resync failures']}")
    print(f"took {took:.1f} s, {total / took:.0f} damaged frames a second")
    return 1 if counts["false accepts"] or counts["resync failures"] else 0


if __name__ == "__main__":
    sys.exit(main())
