"""Whatever fails, the program ends with an exit code of its own and one line: no home, no stream, no memory, no module.

Python's own exit code for an error that nobody caught is 1, which means findings, and it prints a traceback.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from shoetool.model.places import CRASH_VARIABLE
from signed_histories import signed_file
from strangers import AS_STRANGER, BARE, NO_ENTRY, ROOT, START, Done, one_line, planted, run, stranger

HISTORIES = ROOT / "tests" / "vectors" / "history"
CLEAN, PLANTED = HISTORIES / "clean_single.shoelog", HISTORIES / "planted_dealer_short.shoelog"
DIES = """
import shoetool.cli.verify as victim
def fails(*words, **more):
    {}
victim.verify_files = fails
"""


@pytest.fixture
def everybodys() -> Iterator[Path]:
    """A folder that every user may write into; that of a test run is for its own user."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o777)
        yield Path(name)


@pytest.fixture(params=["without an entry", "as another user"])
def homeless(request: pytest.FixtureRequest) -> Any:
    """Runs the program as a user without a home folder and without an entry in the system's list of users."""
    if request.param == "without an entry":
        return lambda *words, **how: planted("", *words, **how)
    if not stranger():
        pytest.skip("takes root, and a Python that everybody may start")
    return lambda *words, **how: run([*stranger(), "-c", START], *words, cwd="/", **AS_STRANGER, **how)


# ---------------------------------------------------------------------------------------------------- without a home


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("verify", CLEAN), 0),
        (("verify", PLANTED), 1),
        (("verify", HISTORIES, "--jobs", "2"), 1),
        (("keys",), 0),
        (("archive", "add", "VAULT", CLEAN, "--by", "somebody", "--jobs", "1"), 0),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else None,
)
def test_without_a_home_the_result_is_that_of_what_was_checked(
    homeless: Any, words: tuple[str, ...], code: int, everybodys: Path
) -> None:
    done = homeless(*(everybodys / "vault" if word == "VAULT" else word for word in words))
    assert done.stdout
    one_line(done, code, "no home folder", "--keys", "$SHOETOOL_KEYS")


def test_who_names_the_keys_hears_nothing_of_a_home(homeless: Any) -> None:
    done = homeless("verify", CLEAN, "--keys", "/no/such/keys")
    assert (done.returncode, done.stderr) == (0, "")


def test_to_pin_a_key_takes_a_folder(homeless: Any, everybodys: Path) -> None:
    history = signed_file(everybodys)
    one_line(homeless("keys", history, "--pin"), 2, "no home folder", "--keys")
    one_line(homeless("keys", "--unpin", "00" * 8), 2, "no home folder", "--keys")
    keys = everybodys / "keys"
    assert homeless("keys", history, "--pin", "--keys", keys).returncode == 0
    done = homeless("verify", history, "--keys", keys)
    assert (done.returncode, done.stderr) == (0, "") and "(pinned)" in done.stdout


def test_what_cannot_be_remembered_is_told_and_the_result_stands(everybodys: Path) -> None:
    """The folder of the keys can be read, and not be written: a read-only medium, or the keys of root."""
    if not stranger():
        pytest.skip("takes root, and a Python that everybody may start")
    history, keys = signed_file(everybodys), everybodys / "keys"
    assert planted("", "keys", history, "--pin", "--keys", keys).returncode == 0
    for words in (("verify", history), ("verify", everybodys, "--jobs", "1")):
        done = run([*stranger(), "-c", START], *words, "--keys", keys, cwd="/", **AS_STRANGER)
        one_line(done, 0, "not remembered: Permission denied", "--keys")
        assert "verified" in done.stdout


def test_a_defect_without_a_home_is_70_and_says_that_there_is_no_report() -> None:
    done = planted(DIES.format("1 / 0"), "verify", CLEAN)
    one_line(done, 70, "ZeroDivisionError", "no report could be written")


def test_keys_that_cannot_be_read_are_named_once(tmp_path: Path) -> None:
    if not stranger():
        pytest.skip("takes root, and a Python that everybody may start")
    (tmp_path / ".config").mkdir()
    tmp_path.chmod(0o700)
    environment = {**BARE, "HOME": str(tmp_path)}
    command = [*stranger(), "-c", START]
    for words in (("verify", CLEAN, CLEAN, PLANTED), ("verify", HISTORIES), ("keys",)):
        done = run(command, *words, cwd="/", env=environment, **AS_STRANGER)
        one_line(done, 2, str(tmp_path), "Permission denied", "--keys")
    assert run(command, "devices", cwd="/", env=environment, **AS_STRANGER).returncode in (0, 3)


WALK = """
import io, json, os, sys
from contextlib import redirect_stderr, redirect_stdout
import click
from shoetool.cli import build, endings

def leaves(group, path):
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        if isinstance(command, click.Group):
            yield from leaves(command, [*path, name])
        else:
            yield [*path, name], command

for path, command in leaves(build(), []):
    if path[0] in json.loads(sys.argv[1]):
        continue
    keys = ["--keys", sys.argv[2]] if any("--keys" in one.opts for one in command.params) and sys.argv[2] else []
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = build().run([*path, *keys], "shoetool")
    print(json.dumps([" ".join(path), code, err.getvalue()]), flush=True)
"""
LASTING = ["serve", "demo", "simulate", "monitor", "completion"]  # no result of theirs comes without a shoe or time


def test_no_command_needs_a_home(homeless: Any) -> None:
    """Each command of the tree without a word: it works or says in one line what it lacks, but never the home."""
    environment = {**BARE, "SHOETOOL_PORT": "/no/such/port"}
    how: dict[str, Any] = {"env": environment, "cwd": "/"}
    words = (json.dumps(LASTING), "")
    if stranger():
        done = run([*stranger(), "-c", WALK], *words, **how, **AS_STRANGER)
    else:
        done = run([sys.executable, "-c", NO_ENTRY + WALK], *words, **how)
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rows) > 30
    for name, code, said in rows:
        lines = said.splitlines()
        assert code in (0, 2, 3), (name, code, said)
        assert "Traceback" not in said and (len(lines) <= 1 or code == 0 or lines[0].startswith("Usage")), (name, said)


# ---------------------------------------------------------------------------------------------- the last handler


@pytest.mark.parametrize(
    ("fails", "told"),
    [
        ("sys.exit(1)", "SystemExit"),
        ("sys.exit(0)", "SystemExit"),
        ("sys.exit('a text')", "a text"),
        ("raise MemoryError", "MemoryError"),
        ("return fails()", "RecursionError"),
        ("raise GeneratorExit", "GeneratorExit"),
    ],
)
def test_no_error_and_no_library_makes_the_exit_code(fails: str, told: str, tmp_path: Path) -> None:
    environment = {**BARE, CRASH_VARIABLE: str(tmp_path)}
    done = planted("import sys\n" + DIES.format(fails), "verify", CLEAN, env=environment)
    one_line(done, 70, told, "a report is in")
    assert len(list(tmp_path.glob("crash-*.txt"))) == 1


def test_the_last_handler_cannot_fail() -> None:
    """Two faults: a defect, and the report of it fails as well."""
    fault = (
        DIES.format("1 / 0")
        + """
from shoetool.cli import exits
def no_memory(error):
    raise MemoryError
exits.write_crash_report = no_memory
"""
    )
    one_line(planted(fault, "verify", CLEAN), 70, "ZeroDivisionError", "no report could be written")


def test_an_error_whose_text_cannot_be_made_is_told() -> None:
    fault = (
        DIES.format("raise Odd()")
        + """
class Odd(Exception):
    def __str__(self):
        raise ValueError("no text")
"""
    )
    done = planted(fault, "verify", CLEAN)
    assert done.returncode == 70 and "Traceback" not in done.stderr


BROKEN_IMPORT = """
import sys
class Breaker:
    def find_spec(self, name, path=None, target=None):
        if name == {!r}:
            raise {}
sys.meta_path.insert(0, Breaker())
"""


@pytest.mark.parametrize(
    ("module", "error", "code", "told"),
    [
        ("shoetool.cli.exits", "RuntimeError('broken')", 70, "RuntimeError: broken"),
        ("shoetool.cli", "MemoryError()", 70, "MemoryError"),
        ("click", "ModuleNotFoundError('none', name='click')", 2, "click is missing: shoetool is not installed whole"),
        ("shoetool.cli.group", "ModuleNotFoundError('none', name='shoetool.cli.group')", 2, "not installed whole"),
        ("shoetool.cli.verify", "ModuleNotFoundError('none', name='shoetool.cli.verify')", 2, "not installed whole"),
    ],
)
def test_an_error_while_the_program_is_loaded_is_no_verdict(module: str, error: str, code: int, told: str) -> None:
    one_line(planted(BROKEN_IMPORT.format(module, error), "verify", CLEAN, "--keys", "/none"), code, told)


def test_an_error_of_a_thread_is_told_and_makes_no_success(tmp_path: Path) -> None:
    fault = DIES.format("""
    import threading
    one = threading.Thread(target=lambda: 1 / 0)
    one.start()
    one.join()
    return {}""")
    environment = {**BARE, CRASH_VARIABLE: str(tmp_path)}
    for own, code in ((0, 70), (1, 70), (2, 2)):
        done = planted(fault.replace("{}", str(own)), "verify", CLEAN, "--keys", "/none", env=environment)
        one_line(done, code, "ZeroDivisionError")


@pytest.mark.parametrize(("history", "code"), [(CLEAN, 0), (PLANTED, 1)])
def test_an_error_while_tidying_up_changes_no_result(history: Path, code: int) -> None:
    fault = "import atexit\natexit.register(lambda: 1 / 0)\n"
    done = planted(fault, "verify", history, "--keys", "/none")
    one_line(done, code, "tidying up", "ZeroDivisionError")


# ---------------------------------------------------------------------------------------------- streams


def into_full(*words: str | Path, **how: Any) -> Done:
    with Path("/dev/full").open("w") as full:
        return planted("", *words, stdout=full, **how)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", [("verify", CLEAN), ("verify", PLANTED, "--json"), ("--help",), ("paytables",)])
def test_an_output_that_is_full_is_one_line_and_never_1_or_120(words: tuple[str | Path, ...], unbuffered: str) -> None:
    done = into_full(*words, env={**BARE, "PYTHONUNBUFFERED": unbuffered})
    one_line(done, 2, "the output cannot be written: No space left on device")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_nothing_can_be_said_at_all() -> None:
    """Standard output and standard error are both full; and full and closed."""
    with Path("/dev/full").open("w") as full:
        assert into_full("verify", PLANTED, stderr=full).returncode == 2
        assert planted("", "verify", PLANTED, stderr=full).returncode == 1
        assert planted(DIES.format("1 / 0"), "verify", PLANTED, stderr=full, stdout=full).returncode == 70
    assert into_full("verify", CLEAN, preexec_fn=lambda: os.close(2), stderr=None).returncode == 2


@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (1, 2), (0, 1, 2)])
@pytest.mark.parametrize(("history", "code"), [(CLEAN, 0), (PLANTED, 1)])
def test_a_closed_stream_changes_no_exit_code(closed: tuple[int, ...], history: Path, code: int) -> None:
    def close() -> None:
        for number in closed:
            os.close(number)

    done = planted("", "verify", history, preexec_fn=close)
    assert done.returncode == code and "Traceback" not in (done.stderr or "")


def test_a_list_from_a_closed_input_is_one_line() -> None:
    done = planted("", "verify", "--files-from", "-", "--keys", "/none", preexec_fn=lambda: os.close(0), stdin=None)
    one_line(done, 2, "no history is named there")


def test_a_broken_pipe_that_is_not_the_output_is_no_reader_that_went_away() -> None:
    done = planted(DIES.format("raise BrokenPipeError(32, 'Broken pipe')"), "verify", CLEAN)
    one_line(done, 2, "Broken pipe")


def test_no_home_and_no_temporary_folder_is_one_line() -> None:
    fault = "import tempfile\ntempfile._candidate_tempdir_list = lambda: ['/no/such/folder']\n"
    one_line(planted(fault, "verify", HISTORIES, "--jobs", "1"), 2, "no temporary folder", "$TMPDIR")
    done = planted(fault, "verify", PLANTED)
    one_line(done, 1, "no home folder")


def test_python_started_by_m_ends_in_the_same_place() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "shoetool", "verify", str(PLANTED), "--keys", "/none"],
        env=BARE, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (1, "")
