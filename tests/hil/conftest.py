"""Which bench the suite runs on, and a fork of the booted emulated shoe for each test.

HIL_PORT and HIL_STIMULUS (`make hil PORT=... STIMULUS=...`) name a real one; else RP2_UF2 names a MicroPython for the
emulated one; else everything is skipped with the reason. A test takes one of these fixtures:

`shoe`: a shoe that is ready, on either bench; `playing`: in the middle of a round. `emulated`: a ready one on the
emulated bench alone, for power cuts, flash content and the like; `only_emulated` with `playing` for the same.
"""

from __future__ import annotations

import os
import pickle
import sys
import traceback
from collections.abc import Iterator
from typing import Any

import pytest
import serial
from bench import connect
from hands import Hands
from rest import at_rest, in_play
from rig import files, uf2
from rig.emulated import EmulatedShoe
from rig.real import RealShoe
from rig.stimulus import Stimulus, StimulusError
from shoetool.link.serial_port import SerialTransport
from shoetool.model.errors import LinkError

REAL = os.environ.get("HIL_PORT", ""), os.environ.get("HIL_STIMULUS", "")
ANSWER_S = 5.0
HOW_REAL = "run `make hil PORT=... STIMULUS=...` with a shoe and a stimulus (board/stimulus) for a real Pico"


def pytest_configure(config: pytest.Config) -> None:
    """Half a real bench is none, and must not become the emulated one without a word; nor what was named and is not."""
    if hasattr(config, "workerinput"):
        return  # said once is enough
    if any(REAL) and not all(REAL):
        missing, make = ("HIL_STIMULUS", "STIMULUS") if REAL[0] else ("HIL_PORT", "PORT")
        raise pytest.UsageError(f"a real bench needs both its ports, and {missing} ({make}= of make hil) is missing")
    if not any(REAL):
        try:
            uf2.locate()
        except uf2.NotNamedError:
            pass  # the tests are skipped, and say how to run them
        except uf2.NoFirmwareError as error:
            raise pytest.UsageError(f"{uf2.VARIABLE}: {error}") from None


@pytest.fixture(scope="session")
def firmware() -> uf2.Firmware:
    """The MicroPython of the emulated bench."""
    try:
        return uf2.find()
    except uf2.NotNamedError as error:
        pytest.skip(f"{error}; or {HOW_REAL}")
    except uf2.NoFirmwareError as error:
        pytest.fail(str(error), pytrace=False)


@pytest.fixture(scope="session")
def slots(firmware: uf2.Firmware) -> uf2.Firmware:
    """The same, for tests of the files that a shoe starts from."""
    if firmware.frozen:
        pytest.skip(f"{firmware.path.name} has the firmware in its image, not in slots")
    return firmware


@pytest.fixture(scope="session")
def blank(firmware: uf2.Firmware) -> bytes:
    """Flash of a shoe that was laid out and never started."""
    return files.flash_of(firmware)


@pytest.fixture(scope="session")
def booted(blank: bytes) -> EmulatedShoe:
    """One emulated shoe a worker, switched on and ready; tests get forks of it."""
    shoe = EmulatedShoe(blank, seed=1)
    shoe.power_on()
    return shoe


@pytest.fixture(scope="session")
def booted_in_play(blank: bytes) -> EmulatedShoe:
    """One emulated shoe a worker at the first decision of a round."""
    shoe = EmulatedShoe(blank, seed=2)
    shoe.power_on()
    Hands(shoe, connect(shoe), 2).start()
    return shoe


@pytest.fixture
def only_emulated() -> None:
    """For tests of what no real bench can do."""
    if all(REAL):
        pytest.skip("only the emulated bench can do this")


@pytest.fixture
def emulated(request: pytest.FixtureRequest, only_emulated: None) -> EmulatedShoe:
    """A booted emulated shoe; what a test does to it is forgotten after it."""
    return request.getfixturevalue("booted")


@pytest.fixture(scope="session")
def real_ports() -> Iterator[tuple[SerialTransport, Stimulus]]:
    """Link and stimulus of the real bench, opened once: a USB port that comes back under another name is followed."""
    try:
        with serial.Serial(REAL[1], timeout=ANSWER_S) as port:
            stimulus = Stimulus(port)
            transport = SerialTransport(REAL[0])
            try:
                yield transport, stimulus
            finally:
                transport.close()
    except (LinkError, OSError, StimulusError) as error:  # the same for every test that would follow
        pytest.exit(f"no real bench: {error}", returncode=pytest.ExitCode.USAGE_ERROR)


@pytest.fixture
def shoe(request: pytest.FixtureRequest) -> Any:
    """A shoe that is ready, on the bench that was chosen."""
    if not all(REAL):
        return request.getfixturevalue("booted")
    real = RealShoe(*request.getfixturevalue("real_ports"))
    at_rest(real)
    return real


@pytest.fixture
def playing(request: pytest.FixtureRequest) -> Any:
    """A shoe in which box 1 has its first decision to make, on the bench that was chosen."""
    if not all(REAL):
        return request.getfixturevalue("booted_in_play")
    real = RealShoe(*request.getfixturevalue("real_ports"))
    in_play(real)
    return real


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test of a booted emulated shoe in a fork, so that the next one finds the shoe as it was."""
    arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    if not any(isinstance(value, EmulatedShoe) for value in arguments.values()):
        return None
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        status = 1
        try:
            os.close(reader)
            with os.fdopen(writer, "wb") as pipe:
                pickle.dump(_outcome(pyfuncitem.obj, arguments), pipe)
            status = 0
        finally:
            sys.stdout.flush()
            os._exit(status)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        told = pipe.read()
    os.waitpid(child, 0)
    kind, text, printed = pickle.loads(told) if told else ("failed", "the fork of the shoe died", "")
    if printed:
        print(printed)
    if kind == "skipped":
        pytest.skip(text)
    if kind == "failed":
        pytest.fail(text, pytrace=False)
    return True


def _outcome(test: Any, arguments: dict[str, Any]) -> tuple[str, str, str]:
    """Run the test; return what became of it, why, and the end of the shoe's log."""
    log = ""
    try:
        test(**arguments)
        return "passed", "", ""
    except pytest.skip.Exception as skipped:
        return "skipped", str(skipped), ""
    except BaseException:
        for value in arguments.values():
            if isinstance(value, EmulatedShoe):
                log = f"log of the shoe: {bytes(value.log[-2000:]).decode(errors='replace')}"
        return "failed", traceback.format_exc(), log
