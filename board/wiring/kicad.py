"""shoe.net: the netlist as KiCad's PCB editor imports it, an s-expression of version E (KiCad 6 and newer).

Parts and nets have their names in parts.toml; the sheet of a part is the board that it lies on. Identifiers follow from
the references alone, so a netlist that is imported again finds each part where it was placed.
"""

from __future__ import annotations

import uuid

from wiring.data import Part, Wiring

Node = str | list["Node"]
_NAMES = uuid.uuid5(uuid.NAMESPACE_OID, "smart shoe")


def netlist(wiring: Wiring) -> str:
    """The whole file; the same for the same parts and pins."""
    parts = [part for part in wiring.parts.values() if part.pins or part.power]
    tree: Node = [
        "export",
        ["version", _text("E")],
        ["design", ["source", _text("board/wiring/parts.toml")], ["tool", _text("make wiring")]],
        ["components", *(_component(part, board(wiring, part)) for part in parts)],
        ["nets", *(_net(code, name, nodes) for code, (name, nodes) in enumerate(_nets(wiring, parts).items(), 1))],
    ]
    return _written(tree) + "\n"


def board(wiring: Wiring, part: Part) -> str:
    """The board that a part lies on: `controller`, `head A`, `panel`, ..."""
    if part.block == "head":
        return f"head {part.ref.rpartition('-')[2]}"
    if part.ref in (f"LED-{lamp['name']}" for lamp in wiring.raw["lamp"] if lamp.get("place") == "reader"):
        return "head READER"
    return part.block if part.block in ("panel", "in the case") else "controller"


def _component(part: Part, sheet: str) -> Node:
    fields = {"Manufacturer": part.entry["maker"], "MPN": part.number, "Description": part.entry["what"]}
    return [
        "comp",
        ["ref", _text(part.ref)],
        ["value", _text(part.value or part.number)],
        *([["footprint", _text(part.footprint)]] if part.footprint else []),
        ["fields", *(["field", ["name", _text(name)], _text(text)] for name, text in fields.items())],
        ["sheetpath", ["names", _text(f"/{sheet}/")], ["tstamps", _text(f"/{_identifier(sheet)}/")]],
        ["tstamps", _text(_identifier(part.ref))],
    ]


def _nets(wiring: Wiring, parts: list[Part]) -> dict[str, list[Node]]:
    """Each connection's nodes. A pad of a pin that stays open has a net of its own, or KiCad would miss it."""
    nets = {
        net.name: [_node(ref, pin, pad) for ref, pin in net.ends for pad in wiring.parts[ref].pads[pin]]
        for net in wiring.nets.values()
    }
    connected = {end for net in wiring.nets.values() for end in net.ends}
    for part in parts:
        for pin, pads in part.pads.items():
            if part.footprint and (part.ref, pin) not in connected:
                nets |= {f"unconnected-({part.ref}-{pin}-Pad{pad})": [_node(part.ref, pin, pad)] for pad in pads}
    return nets


def _net(code: int, name: str, nodes: list[Node]) -> Node:
    return ["net", ["code", _text(str(code))], ["name", _text(name)], *nodes]


def _node(ref: str, pin: str, pad: str) -> Node:
    return ["node", ["ref", _text(ref)], ["pin", _text(pad)], ["pinfunction", _text(pin)]]


def _identifier(name: str) -> str:
    return str(uuid.uuid5(_NAMES, name))


def _text(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _written(tree: Node, indent: str = "\n  ") -> str:
    """One line; but a list with lists of lists in it has a line for each of its lists.

    A first list of words stays behind the name: KiCad knows the file by its first line, `(export (version`.
    """
    if isinstance(tree, str):
        return tree
    deep = [isinstance(item, list) and any(isinstance(word, list) for word in item) for item in tree]
    text = ""
    for i, item in enumerate(tree):
        new_line = any(deep) and isinstance(item, list) and (i > 1 or deep[i])
        text += (indent if new_line else " " if i else "") + _written(item, indent + "  ")
    return f"({text})"
