"""What follows a request that found no memory in the middle of its work: RAM is made to say what is stored.

That is what a start does. Loaded when it happens.
"""

from shoe.wire_table import REC_FAULT


def settle(stored, steps, table, faults, fetched, margins, gate, show):
    """Believe what is stored; `stored()` tells whether the request began to store something."""
    if table.rebuild() and stored():
        faults.start()
        fetched.start()
        margins.start()
        dealing = table.dealing
        for code, head, detail in faults.items():
            if code not in dealing.faults:
                dealing.apply((REC_FAULT, code, head, detail))
        for code in dealing.faults:
            faults.latch(code)
        if gate.keys is not None:
            _settle_keys(gate, gate.keys, steps)
        table.check_config()
    show()


def _settle_keys(gate, keys, steps):
    """The store says which key is in force, and whether a signing key is to be begun."""
    was_open = keys.is_open()
    keys.key = keys.firmware = keys.announced = b""
    keys.failures = keys.ordered = 0
    keys.start()
    if not keys.key or keys.damaged:
        keys.damaged = not was_open
        keys.key = b""
    if keys.key:
        unsaid = keys.unsaid
        if unsaid and unsaid[1] == steps.next_record and unsaid[2] == (keys.key, keys.firmware, keys.announced):
            steps.commit(unsaid[0])
        keys.unsaid = None
        keys.say(steps)
        gate.order(keys)
    keys.follow(steps, ())
