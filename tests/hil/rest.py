"""A real shoe outlives the tests: what brings it to rest before each, whatever the one before has left."""

from __future__ import annotations

from typing import Any

from bench import connect
from hands import Hands
from shoetool.client.client import Client
from shoetool.model.protocol_table import CONFIGS, Clear, FaultCode, Key, Lamp, Phase, Setting

DEFAULTS = {setting.name.lower(): int(CONFIGS[setting]["default"]) for setting in Setting}
MOST_STEPS = 24
_CARD_LIES_SOMEWHERE = (
    FaultCode.UNREADABLE,
    FaultCode.DOUBLE_FEED,
    FaultCode.EDGES_LOST,
    FaultCode.FOREIGN_BATCH,
)  # the hand takes it away
_BETWEEN_ROUNDS = (Phase.EMPTY, Phase.READY, Phase.FINISHED)


class NotAtRestError(Exception):
    """The shoe does not come to rest; the message says how it stands."""


def at_rest(shoe: Any) -> Client:
    """Leave the shoe started anew, empty, with the settings that it has from the maker, without a fault.

    Its closed histories count as fetched, else test after test would fill the journal. The next one is the test's.
    """
    shoe.let_go()
    shoe.restart()
    client = connect(shoe)
    _close_shoe(shoe, client)
    client.config_write(DEFAULTS)
    _clear_faults(shoe, client)
    status = client.status()
    if status.phase != Phase.EMPTY or status.fault or shoe.lamps().card_stop:
        raise NotAtRestError(f"the shoe does not come to rest: {status}")
    entries = client.history_list()
    for entry in entries:
        if entry.closed and not entry.fetched:
            client.history_fetched(entry.shoe)
    shoe.first_history = status.shoe + 1
    return client


def in_play(shoe: Any) -> Client:
    """Leave the shoe at the first decision of box 1, see `Hands.start`."""
    client = at_rest(shoe)
    Hands(shoe, client, 2).start()
    return client


def _close_shoe(shoe: Any, client: Client) -> None:
    """End what is going on, as a floorperson may at any time, and take the cards out."""
    for _ in range(MOST_STEPS):
        status = client.status()
        if not status.shoe or all(entry.closed for entry in client.history_list(status.shoe)):
            return
        if status.fault and status.fault in _CARD_LIES_SOMEWHERE:
            shoe.key(Key.SUPERVISOR, int(Clear.CARD_REMOVED))  # before it is, no round is void
        elif status.phase in (Phase.COUNTING, Phase.TESTING):
            _clear_faults(shoe, client)
            key = Key.COUNT if status.phase == Phase.COUNTING else Key.TEST_DEAL
            shoe.key(key, status.lamps >> Lamp.DEAL_B & 1)
        elif status.phase in _BETWEEN_ROUNDS:
            shoe.key(Key.CLOSE_SHOE)
        else:
            shoe.key(Key.VOID_ROUND)
            shoe.key(Key.CLOSE_SHOE)
        shoe.lamps()
    raise NotAtRestError(f"the shoe does not close: {client.status()}")


def _clear_faults(shoe: Any, client: Client) -> None:
    for _ in range(MOST_STEPS):
        fault = client.status().fault
        if not fault:
            return
        taken = fault in _CARD_LIES_SOMEWHERE
        shoe.key(Key.SUPERVISOR, int(Clear.CARD_REMOVED if taken else Clear.RESUME))
        shoe.lamps()
