"""One place each: for a port, for the list of ports, for mpremote, and for what any of them may raise.

The exceptions that are injected are those that the installed libraries raise, found in their sources, and those of the
parts of Python that they call.
"""

from __future__ import annotations

import ast
import asyncio
import builtins
import errno
import os
import struct
import termios
import threading
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import mpremote.transport
import pytest
import serial
from click.testing import CliRunner
from fake_shoes import ScriptedShoe
from shoetool.cli import build
from shoetool.cli.device import open_client
from shoetool.client.client import Client
from shoetool.client.requests import Timeouts
from shoetool.flash import repl
from shoetool.flash.repl import Repl, why_not_opened
from shoetool.link import system_ports, virtual_ports
from shoetool.link.port_errors import library_calls
from shoetool.link.transport import Disconnected, PortMissing
from shoetool.model.errors import BadInput, LinkError
from shoetool.model.protocol_table import MessageKind
from shoetool.serve import line as lines
from shoetool.serve.hub import Hub, Table
from shoetool.serve.line import Line
from shoetool.serve.table_port import TablePort
from test_structure import HOST, SIMULATOR, nodes

# ------------------------------------------------------------------------------------------------ the structure

ONLY_IN = {
    "serial": {"link/serial_port.py", "link/system_ports.py"},
    "serial.tools": {"link/system_ports.py"},
    "mpremote": {"flash/repl.py"},
    # The person's own terminal, which is asked for its colours. It is no port.
    "termios": {"cli/monitor_theme.py"},
    "tty": {"cli/monitor_theme.py", "rig.py"},  # the simulator makes the other end of a line
}
GUARDS = {"library_calls", "_guarded", "close_quietly"}
# Runs inside of mpremote, whose calls are guarded: it stands in for the port there.
INSIDE_THE_LIBRARY = {"_Impatient"}
LIBRARY_NAMES = {"serial", "list_ports", "SerialTransport", "port", "_port", "_transport"}


def modules_of(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and not node.level:
        return [f"{node.module}.{alias.name}" for alias in node.names]
    return []


@pytest.mark.parametrize("library", ONLY_IN)
def test_a_library_of_ports_is_known_in_its_one_place(library: str) -> None:
    using = set()
    for top in (HOST, SIMULATOR):
        for path in top.rglob("*.py"):
            named = {name for node in nodes(path) for name in modules_of(node)}
            if any(f"{name}.".startswith(f"{library}.") for name in named):
                using.add(path.relative_to(top).as_posix())
    assert using == ONLY_IN[library]


def words(node: ast.AST) -> set[str]:
    """The names of which an expression such as `self._transport.serial.read` consists."""
    if isinstance(node, ast.Attribute):
        return {node.attr} | words(node.value)
    return {node.id} if isinstance(node, ast.Name) else set()


def unguarded(tree: ast.AST, guarded: bool = False) -> Iterator[int]:
    """The lines of calls of a library that no guard surrounds."""
    for node in ast.iter_child_nodes(tree):
        inside = guarded or (isinstance(node, ast.ClassDef) and node.name in INSIDE_THE_LIBRARY)
        if isinstance(node, ast.With):
            inside |= any(
                isinstance(w, ast.Call) and words(w.func) & GUARDS for w in (i.context_expr for i in node.items)
            )
        if isinstance(node, ast.Call):
            inside |= bool(words(node.func) & GUARDS)
            what = words(node.func)
            of_ours = not isinstance(node.func, ast.Attribute) and what != {"SerialTransport"}
            if not inside and what & LIBRARY_NAMES and not of_ours:
                yield node.lineno
        yield from unguarded(node, inside)


@pytest.mark.parametrize("place", sorted(ONLY_IN["serial"] | ONLY_IN["mpremote"]))
def test_every_call_of_a_library_is_guarded(place: str) -> None:
    assert list(unguarded(ast.parse((HOST / place).read_text()))) == []


def test_a_call_outside_of_a_guard_would_be_found() -> None:
    bad = "def f(self):\n    with library_calls(x):\n        self._port.read(1)\n    self._port.write(b'')\n"
    assert list(unguarded(ast.parse(bad))) == [4]


# ------------------------------------------------------------------------------------------------ what is raised


def raised_by(package: str) -> set[str]:
    """The names of what a package raises."""
    spec = find_spec(package)
    assert spec is not None and spec.submodule_search_locations
    found = set()
    for path in Path(spec.submodule_search_locations[0]).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Raise) and node.exc is not None:
                made = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
                found.add(made.attr if isinstance(made, ast.Attribute) else getattr(made, "id", ""))
    return found


def class_of(name: str) -> type[Exception] | None:
    for module in (serial, serial.serialutil, mpremote.transport, builtins):
        if isinstance(found := getattr(module, name, None), type) and issubclass(found, Exception):
            return found
    return None


NAMES = raised_by("serial") | raised_by("mpremote")
RAISED = sorted({found for name in NAMES if (found := class_of(name))}, key=lambda one: one.__name__)
NUMBERS = (errno.EIO, errno.ENXIO, errno.ENODEV, errno.ENOENT, errno.EACCES, errno.EBUSY, errno.EPIPE, errno.EBADF)


def instance(kind: type[Exception]) -> Exception:
    if kind is mpremote.transport.TransportExecError:
        return kind("", "first line\nsecond line")
    return kind() if kind is serial.PortNotOpenError else kind("it went\nwrong")


ERRORS = [
    *(instance(kind) for kind in RAISED),
    *(OSError(number, "system") for number in NUMBERS),
    *(serial.SerialException(number, "library") for number in NUMBERS),
    *(termios.error(number, "terminal") for number in NUMBERS),
    struct.error("unpack requires a buffer of 2 bytes"),
    UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"),
    OverflowError("too large"),
    OSError(errno.EBADF, "select"),
    KeyError(2**70),
    Exception(),
]


def named(error: Exception) -> str:
    return f"{type(error).__module__}.{type(error).__name__}-{error.args[0] if error.args else ''}"[:40]


def test_the_sources_were_read() -> None:
    """Of pyserial's 3.5 alone these are raised; `termios.error` comes from Python, so no source names it."""
    kinds = {kind.__name__ for kind in RAISED}
    wanted = {"SerialException", "SerialTimeoutException", "PortNotOpenError", "ValueError", "TypeError", "IndexError"}
    assert wanted | {"NotImplementedError", "RuntimeError", "UnicodeError", "ImportError", "TransportError"} <= kinds


class Port:
    """The library's port with a shoe behind it. The computer says what is raised where, and notes where it was."""

    def __init__(self, name: str, computer: Computer) -> None:
        self.name = name
        self._computer = computer
        self._came = b""
        self._step("make")

    def _step(self, place: str) -> None:
        computer = self._computer
        if self.name == computer.bad and place in computer.faults:
            computer.fired.append(place)
            raise computer.faults[place]

    def __setattr__(self, name: str, value: object) -> None:
        if name == "exclusive":
            self._step("configure")
        super().__setattr__(name, value)

    def open(self) -> None:
        self._step("open")

    def fileno(self) -> int:
        self._step("fileno")
        raise OSError("no file")

    @property
    def in_waiting(self) -> int:
        self._step("in_waiting")
        return len(self._came)

    def read(self, size: int) -> bytes:
        self._step("read")
        data, self._came = self._came[:size], self._came[size:]
        if not data:
            time.sleep(0.001)
        return data

    def write(self, data: bytes) -> None:
        self._step("write")
        self._came += self._computer.shoes[self.name].exchange(data)

    def close(self) -> None:
        self._step("close")


PLACES = ("make", "configure", "open", "fileno", "write", "read", "in_waiting", "close")
HARMLESS = {"fileno", "close"}


class Computer:
    """A computer with three ports and a shoe on each. Faults are put into the port `bad`."""

    def __init__(self, patch: pytest.MonkeyPatch, folder: Path) -> None:
        self.faults: dict[str, Exception] = {}
        self.fired: list[str] = []
        self.bad = "/dev/fake1"
        self.shoes = {f"/dev/fake{number}": ScriptedShoe() for number in range(3)}
        self.listing: Exception | None = None
        self.patch = patch
        patch.setattr("serial.serial_for_url", self.make)
        patch.setattr("serial.tools.list_ports.comports", self.comports)
        patch.setattr(virtual_ports, "virtual_folder", lambda: folder)

    def make(self, name: str, **_: Any) -> Port:
        return Port(name, self)

    def comports(self) -> list[SimpleNamespace]:
        if self.listing is not None:
            self.fired.append("list")
            raise self.listing
        return [
            SimpleNamespace(
                device=name, vid=None, pid=None, serial_number=None, location=None, manufacturer=None, description=""
            )
            for name in self.shoes
        ]


@pytest.fixture
def computer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Computer:
    return Computer(monkeypatch, tmp_path)


@pytest.mark.parametrize("place", PLACES)
def test_one_bad_port_ends_no_search_and_is_one_line(computer: Computer, place: str) -> None:
    for error in ERRORS:
        computer.faults = {place: error}
        computer.fired.clear()
        said = CliRunner().invoke(build(), ["devices", "--all"])
        assert computer.fired, (place, error)
        assert said.exit_code == 0 and said.stderr == "", (error, said.output, said.stderr)
        found = {line.split()[0].rstrip(":"): line for line in said.stdout.splitlines()[1:]}
        assert set(found) == set(computer.shoes), (error, said.stdout)
        assert all("66616b6573686f65" in found[name] for name in found if name != computer.bad or place in HARMLESS)

        named_port = CliRunner().invoke(build(), ["devices", "--all", "--ports", f"name={computer.bad}"])
        assert named_port.exit_code == (0 if place in HARMLESS else 3), (error, named_port.output)
        assert len(named_port.stderr.splitlines()) == (0 if place in HARMLESS else 1), (error, named_port.stderr)


@pytest.mark.parametrize("error", ERRORS, ids=named)
def test_a_system_that_lists_no_ports_is_one_line_and_stops_no_port_that_is_named(
    computer: Computer, error: Exception
) -> None:
    computer.listing = error
    said = CliRunner().invoke(build(), ["devices"])
    assert computer.fired and said.exit_code == 3, said.output
    assert len(said.stderr.splitlines()) == 1 and "ports of this computer cannot be listed" in said.stderr
    with Client.open("/dev/fake0") as client:
        assert client.identify().device == b"fakeshoe"


def test_a_virtual_shoe_is_found_where_no_ports_are_listed_and_that_is_said(computer: Computer) -> None:
    computer.listing = OSError(errno.EIO, "no list")
    computer.patch.setattr("shoetool.cli.device.announced_ports", lambda: ["/dev/fake0"])
    said = CliRunner().invoke(build(), ["devices"])
    assert said.exit_code == 0 and "/dev/fake0" in said.stdout
    assert said.stderr == "shoetool: the ports of this computer cannot be listed: Input/output error\n"


def test_a_device_that_goes_while_the_ports_are_listed_is_no_failure(computer: Computer) -> None:
    """pyserial reads the numbers of a device from files that are gone: int(None) is a TypeError."""
    first = iter([TypeError("int() argument must be a string"), ValueError("invalid literal")])

    def comports() -> list[SimpleNamespace]:
        computer.listing = next(first, None)
        return Computer.comports(computer)

    computer.patch.setattr("serial.tools.list_ports.comports", comports)
    assert [port.name for port in system_ports.system_ports()] == list(computer.shoes)
    assert computer.fired == ["list", "list"]


@pytest.mark.parametrize("place", sorted(set(PLACES) - HARMLESS))
def test_a_line_that_fails_is_opened_again_and_the_conversation_goes_on(computer: Computer, place: str) -> None:
    for error in ERRORS:
        computer.faults = {}
        with Client.open(computer.bad, Timeouts(reconnect_s=20, reconnect_every_s=0.0)) as client:
            client.identify()
            # The port fails once where it is read, and once again when it is opened anew.
            computer.fired.clear()
            computer.faults = {"read": error, place: error}
            reopen = client.transport.reopen
            tries = iter(range(1, 10))

            def mended(without: Any = (), reopen: Any = reopen, tries: Iterator[int] = tries) -> None:
                if next(tries) > 2:
                    computer.faults = {}
                reopen(without)

            computer.patch.setattr(client.transport, "reopen", mended)
            assert client.ticks().boot == 3, error
            assert "read" in computer.fired or "write" in computer.fired, (place, error)
            assert client.session.counters.reconnects == 1


def test_a_line_that_stays_lost_is_one_line(computer: Computer) -> None:
    for error in ERRORS:
        computer.faults = {}
        with Client.open(computer.bad, Timeouts(reconnect_s=0)) as client:
            computer.faults = {"read": error}
            with pytest.raises(Disconnected) as lost:
                client.ticks()
        assert "\n" not in str(lost.value) and lost.value.exit_code == 3


@pytest.mark.parametrize("error", [errno.ENAMETOOLONG, errno.EACCES, errno.EIO, errno.ESTALE], ids=os.strerror)
def test_a_name_of_which_the_system_says_nothing_is_a_port_that_is_not_there(
    error: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    fired: list[str] = []
    stat = Path.stat

    def refused(path: Path, **how: Any) -> os.stat_result:
        if path.name != "no-such-port":
            return stat(path, **how)
        fired.append(str(path))
        raise OSError(error, os.strerror(error))

    monkeypatch.setattr(Path, "stat", refused)
    with pytest.raises(PortMissing, match="no-such-port"):
        open_client("/dev/no-such-port")
    assert isinstance(why_not_opened("/dev/no-such-port"), LinkError)
    assert fired


@pytest.mark.parametrize("error", ERRORS, ids=named)
def test_the_thread_of_a_table_outlives_whatever_its_port_raises(computer: Computer, error: Exception) -> None:
    computer.patch.setattr(lines, "AGAIN_S", (0.01,))
    fault_of_ours: list[object] = []
    computer.patch.setattr(threading, "excepthook", fault_of_ours.append)
    shoe = computer.shoes[computer.bad]
    shoe.on[MessageKind.HISTORY_LIST] = lambda r: b""
    quick = Timeouts(answer_s=0.01, tries=1, identify_tries=2, reconnect_s=0)
    hub = Hub({"7": Table("7")})

    async def until(true: Callable[[], bool]) -> None:
        for _ in range(2000):
            if true():
                return
            await asyncio.sleep(0.005)
        raise AssertionError(f"{error!r}: {hub.tables['7'].line}, {hub.tables['7'].why}")

    async def watch() -> None:
        computer.faults = {"open": error}
        port = TablePort(computer.bad, lambda name: Client.open(name, quick))
        line = Line(hub, asyncio.get_running_loop(), "7", port)
        line.start()
        await until(lambda: hub.tables["7"].line == "lost" and computer.bad in hub.tables["7"].why)
        assert "\n" not in hub.tables["7"].why
        computer.faults = {}
        await until(lambda: hub.tables["7"].device == b"fakeshoe".hex())
        assert line.is_alive()
        line.stop()
        await asyncio.to_thread(line.join, 10)

    asyncio.run(watch())
    assert computer.fired and not fault_of_ours


@pytest.mark.parametrize("error", [BadInput("ours"), LinkError("ours"), MemoryError(), KeyboardInterrupt()])
def test_what_is_ours_or_no_fault_of_a_port_passes(error: BaseException) -> None:
    with pytest.raises(type(error)) as raised, library_calls(lambda _: LinkError("not this")):
        raise error
    assert raised.value is error


# ------------------------------------------------------------------------------------------------ mpremote

STEPS = {"write": lambda board: board.run("x"), "restart": lambda board: board.restart(), "enter": Repl.enter}


@pytest.mark.parametrize("step", [*STEPS, "open", "listen", "close", "let_go"])
def test_a_board_that_fails_at_its_prompt_is_one_line(
    step: str, computer: Computer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repl, "ENTER_S", 0.01)
    monkeypatch.setattr(repl, "RETURN_S", 0.0)
    for error in ERRORS:
        computer.faults, computer.fired = {}, []
        port = SimpleNamespace()

        def fail(*_: object, error: Exception = error, **__: object) -> Any:
            computer.fired.append(step)
            raise error

        class Transport:
            def __init__(self, *_: object) -> None:
                self.serial = SimpleNamespace(
                    timeout=1, write_timeout=1, in_waiting=1, read=fail, write=fail, flush=fail
                )
                self.close = fail
                self.enter_raw_repl = self.exec_raw_no_follow = self.exit_raw_repl = fail

        monkeypatch.setattr(repl, "SerialTransport", fail if step == "open" else Transport)
        if step in ("close", "let_go"):
            getattr(Repl(computer.bad), step)()
        else:
            with pytest.raises(LinkError) as raised:
                port = Repl(computer.bad)
                if step == "listen":
                    monkeypatch.setattr(repl, "SerialTransport", fail)
                    port.listen(lambda said: False, 5.0)
                    raise LinkError("a board that only stops answering is listened to until the time is up")
                STEPS[step](port)
            assert "\n" not in str(raised.value) and raised.value.exit_code == 3
        assert computer.fired, error
