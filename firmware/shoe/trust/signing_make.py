"""Making the tree of a new key, leaf by leaf in flash, so that a power cut costs one leaf."""

from shoe.trust.lms_make import inner_nodes, leaves
from shoe.trust.lms_size import HASH
from shoe.trust.signing import WIDTH
from shoe.trust.signing_key import KeyNote
from shoe.trust.signing_start import first_unspent
from shoe.wire_table import REC_SIGNING_KEY, SIGNING_READY, SIGNING_USED_UP

_BLANK = b"\xff" * HASH


def make(signing):
    """Generator for `Signing.step`: the leaves that are missing, the nodes above, the record; then the key counts."""
    note = KeyNote(signing.device)
    note.load()
    tree = signing.tree
    height = note.height
    buf = bytearray(HASH)
    view = memoryview(buf)

    def get(node):
        tree.read(HASH * node, view)
        return buf

    def put(node, value):
        tree.write(HASH * node, memoryview(value))
        if node >> height:
            signing.made = node + 1 - (1 << height)

    first = _leaves_made(get, height)
    signing.made = first
    yield 1
    for done in leaves(note.identifier, note.seed, height, WIDTH, first, put):
        yield done
    for done in inner_nodes(note.identifier, height, get, put):
        yield done
    root = bytes(get(1))
    journal = signing.journal
    yield (REC_SIGNING_KEY, note.identifier, height, root)
    note.root = root
    note.made = 1
    note.first_shoe = journal.shoe + 1 if journal.closed or not journal.shoe else journal.shoe
    note.save()
    signing.root = root
    signing.handled = max(signing.handled, note.first_shoe - 1)
    signing.next_index = first_unspent(signing)  # 0, unless an old note came back and the key was made before
    signing.state = SIGNING_USED_UP if signing.next_index >= signing.total else SIGNING_READY


def _leaves_made(get, height):
    """Leaves that are whole: all before the last one that is not blank, which a power cut may have torn."""
    low = 0
    high = 1 << height
    while low < high:
        middle = (low + high) // 2
        if get((1 << height) + middle) == _BLANK:
            high = middle
        else:
            low = middle + 1
    return max(0, low - 1)
