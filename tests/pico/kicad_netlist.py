"""What KiCad's files say, read without KiCad: a netlist, and the footprints and pads of a board."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

Pad = tuple[str, str]


def parse(text: str) -> list[Any]:
    """The lists of an s-expression: words and texts as str."""
    tokens = re.findall(r'"(?:[^"\\]|\\.)*"|[()]|[^\s()"]+', text)
    open_lists: list[list[Any]] = [[]]
    for token in tokens:
        if token == "(":
            open_lists.append([])
        elif token == ")":
            done = open_lists.pop()
            open_lists[-1].append(done)
        else:
            open_lists[-1].append(re.sub(r"\\(.)", r"\1", token[1:-1]) if token[0] == '"' else token)
    (whole,) = open_lists.pop()
    assert not open_lists
    return list(whole)


def every(node: list[Any], name: str) -> list[list[Any]]:
    """The lists in `node` that begin with `name`, without it."""
    return [item[1:] for item in node if isinstance(item, list) and item[0] == name]


def of(node: list[Any], name: str) -> list[Any]:
    """The one list in `node` that begins with `name`, without it."""
    (found,) = every(node, name)
    return found


@dataclass
class Netlist:
    """`parts`: what KiCad is told of each. `nets`: the pads of each. `pins`: the name of the pin at each pad."""

    parts: dict[str, list[Any]]
    nets: dict[str, set[Pad]]
    pins: dict[Pad, str]

    @classmethod
    def read(cls, text: str) -> Netlist:
        """From the text of a `.net`. A part, net or pad that comes twice fails."""
        export = parse(text)
        assert export[:2] == ["export", ["version", "E"]]
        parts = {of(comp, "ref")[0]: comp for comp in of(export, "components")}
        assert len(parts) == len(of(export, "components"))
        nets: dict[str, set[Pad]] = {}
        pins = {}
        for net in of(export, "nets"):
            nodes = [item for item in net if item[0] == "node"]
            for node in nodes:
                pad = (of(node, "ref")[0], of(node, "pin")[0])
                assert pad not in pins, f"{pad} is in two nets"
                pins[pad] = of(node, "pinfunction")[0]
            name = of(net, "name")[0]
            assert name not in nets
            nets[name] = {(of(node, "ref")[0], of(node, "pin")[0]) for node in nodes}
        return cls(parts, nets, pins)

    def net(self, ref: str, pad: str) -> str:
        """The net at a pad."""
        (found,) = (name for name, pads in self.nets.items() if (ref, pad) in pads)
        return found

    def linked(self, ref: str, pad: str) -> set[Pad]:
        """The other pads of the net at a pad."""
        return self.nets[self.net(ref, pad)] - {(ref, pad)}

    def behind(self, ref: str, pad: str, kind: str) -> set[Pad]:
        """What is at the other end of the resistor `kind` at the net of a pad."""
        ((resistor, end),) = (at for at in self.linked(ref, pad) if re.fullmatch(kind, at[0]))
        return self.linked(resistor, {"1": "2", "2": "1"}[end])

    def footprints(self) -> dict[str, str]:
        """The footprint of each part that has one, as library:name."""
        return {ref: name for ref, comp in self.parts.items() for (name,) in every(comp, "footprint")}


@dataclass
class Board:
    """A `.kicad_pcb`. `parts`: footprint, value and identifier of each. `pads`: the net at each pad, "" for none."""

    parts: dict[str, tuple[str, str, str]]
    pads: dict[Pad, str]

    @classmethod
    def read(cls, text: str) -> Board:
        """From the text that KiCad 6 to 9 save. A part that comes twice fails."""
        parts: dict[str, tuple[str, str, str]] = {}
        pads: dict[Pad, str] = {}
        for name, *footprint in every(parse(text), "footprint"):
            # Since KiCad 8 reference and value are properties; before, they were texts.
            said = {item[0].lower(): item[1] for item in every(footprint, "fp_text") + every(footprint, "property")}
            ref = said["reference"]
            assert ref not in parts, f"{ref} is on the board twice"
            parts[ref] = (name, said["value"], of(footprint, "path")[0].rpartition("/")[2])
            for number, *pad in every(footprint, "pad"):
                if number:
                    (net,) = (item[-1] for item in every(pad, "net")) if every(pad, "net") else ("",)
                    # Two pads of one number are one pin.
                    assert pads.setdefault((ref, number), net) == net, f"{ref}/{number} is in two nets"
        return cls(parts, pads)


def differences(netlist: Netlist, board: Board) -> list[str]:
    """What a board made of this netlist has otherwise, a line each: parts, footprints, values, identifiers, nets."""
    said = []
    footprints = netlist.footprints()
    for ref in sorted(footprints.keys() | board.parts.keys()):
        if ref not in board.parts:
            said.append(f"{ref} ({footprints[ref]}) is not on the board")
        elif ref not in footprints:
            said.append(f"{ref} is on the board, and has no footprint in the netlist")
        else:
            comp = netlist.parts[ref]
            wanted = (footprints[ref], of(comp, "value")[0], of(comp, "tstamps")[0])
            if board.parts[ref] != wanted:
                said.append(f"{ref} is {board.parts[ref]} on the board, {wanted} in the netlist")
    wanted_nets = {pad: name for name, pads in netlist.nets.items() for pad in pads if pad[0] in board.parts}
    for pad in sorted(wanted_nets.keys() | board.pads.keys()):
        there, wanted_net = board.pads.get(pad, "no pad"), wanted_nets.get(pad, "")
        if there != wanted_net:
            said.append(f"{'/'.join(pad)} is in net {there!r} on the board, {wanted_net!r} in the netlist")
    return said
