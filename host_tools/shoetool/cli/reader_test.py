"""The guided inspection of the card reader device, as the floorperson makes it each gaming day (633a.2(f))."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from shoetool.client.client import Client
from shoetool.model.errors import DeviceError
from shoetool.model.protocol_table import Inspection, Key, MessageKind, ReaderStep, RecordKind
from shoetool.report.sentences import sentence

PATIENCE_S: Final = 120.0
TAMPERING: Final = "Look at the card reader device. Is its seal whole, its groove empty, and nothing attached to it?"
LAMPS: Final = "Do all three of its lamps light?"
_CARDS: Final = ("T1", "T2", "T3", "T4")
_OVER: Final = (ReaderStep.PASSED, ReaderStep.FAILED)


def inspect(
    client: Client, ask: Callable[[str], bool], tell: Callable[[str], None], patience_s: float = PATIENCE_S
) -> list[str]:
    """Guide a person through the inspection; return the names of its steps, the last one `passed` or `failed`.

    `ask` asks a question that is answered yes or no, `tell` says what to do next. DeviceError when the shoe refuses the
    inspection, or when no test card comes for `patience_s`; NotAuthorised, before anything is asked, without the key of
    a provisioned shoe.
    """
    client.authority.require(MessageKind.KEY)
    live = client.subscribe(client.status().next_record)
    if not ask(TAMPERING):
        return _fail(client)
    if not client.key(Key.READER_TEST, Inspection.BEGIN)[0]:
        raise DeviceError(
            "the shoe refuses the inspection: a round is open, or the table has no card reader device "
            "(option card_reader, see shoetool configure)"
        )
    if not ask(LAMPS):
        return _fail(client)
    steps: list[str] = []
    waited = 0.0
    while True:
        records = [record for record in live.poll(1.0) if record.kind == RecordKind.READER_TEST]
        waited = 0.0 if records else waited + 1.0
        if waited > patience_s:
            raise DeviceError(f"no test card came for {patience_s:.0f} s; begin the inspection again")
        for record in records:
            step = ReaderStep(record.values[0])
            steps.append(step.name.lower())
            tell(sentence(record))
            if step in _OVER:
                return steps
        if records and steps.count("again") < len(_CARDS):
            read = sum(step.startswith("card_") for step in steps)
            if read < len(_CARDS):
                tell(f"Slide test card {_CARDS[read]} face down into the reader to the stop, and pull it out again.")


def _fail(client: Client) -> list[str]:
    """Tell the shoe that the reader does not work: the table stops until it passes an inspection, 633a.14(k)."""
    if not client.key(Key.READER_TEST, Inspection.FAIL)[0]:
        raise DeviceError("the shoe did not record that its card reader device failed")
    return ["failed"]
