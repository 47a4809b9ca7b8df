"""The commands that talk to a shoe, in process, against the firmware's link at the other end of a pseudo-terminal."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator
from pty_shoe import PtyShoe, short_shoe
from shoe.service_error import ServiceError
from shoetool.cli import build, device
from shoetool.cli.monitor import current_shoe
from shoetool.cli.pulling import Pulled
from shoetool.client.authority import AuthorityClient, CommandKey
from shoetool.client.discovery import Found
from shoetool.client.key_file import write_new
from shoetool.history.store import ShoelogReader
from shoetool.link import virtual_ports
from shoetool.model.naming import OPTION_BITS
from shoetool.model.protocol_table import CONFIGS, Error, Head, Setting, ShoeKind
from shoetool.wire.answers import Identity


def run(*arguments: str) -> Result:
    return CliRunner().invoke(build(), list(arguments))


def one_line(result: Result, code: int, *said: str) -> None:
    """The promise for bad input: this exit code, one line on standard error, no traceback."""
    assert result.exit_code == code, result.output
    lines = result.stderr.splitlines()
    assert len(lines) == 1 and lines[0].startswith("shoetool: "), result.stderr
    for part in said:
        assert part in lines[0]


def validated(name: str, text: str) -> dict[str, Any]:
    """A JSON document, checked against its schema of the package."""
    schema = json.loads((resources.files("shoetool") / "schemas" / f"{name}.schema.json").read_text())
    document: dict[str, Any] = json.loads(text)
    Draft202012Validator(schema).validate(document)
    assert document["document"] == name
    return document


@pytest.fixture
def shoe() -> Iterator[PtyShoe]:
    with PtyShoe() as shoe:
        yield shoe


@pytest.fixture(autouse=True)
def nothing_else_is_plugged_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("shoetool.client.discovery.system_ports", list)
    monkeypatch.setattr(virtual_ports, "virtual_folder", lambda: tmp_path / "virtual")
    monkeypatch.delenv(device.PORT_VARIABLE, raising=False)


# ---------------------------------------------------------------------------------------------------- what they show
def test_info_names_device_phase_and_histories(shoe: PtyShoe) -> None:
    result = run("info", "--port", shoe.port)
    assert result.exit_code == 0, result.output
    for part in (b"SHOE0001".hex(), "pty", "players", "open"):
        assert part in result.output


def test_info_as_json(shoe: PtyShoe) -> None:
    document = validated("info", run("info", "--json", "--port", shoe.port).output)
    assert document["identity"]["protocol"] == "1.0" and document["histories"][0]["shoe"] == 1


@pytest.mark.parametrize(
    ("kind", "sides"), [(ShoeKind.SINGLE, ["A", "reader"]), (ShoeKind.DOUBLE, ["A", "B", "reader"])]
)
def test_info_shows_side_b_of_a_double_shoe_alone(shoe: PtyShoe, kind: int, sides: list[str]) -> None:
    """The board has three read heads, whatever is dealt."""
    shoe.service.config[Setting.SHOE_KIND] = kind
    light = shoe.service.levels(0)[3:]

    def three(head: int) -> tuple[object, ...]:
        if head > Head.READER:
            raise ServiceError(Error.BAD_VALUE, head)
        return (head, 255, 32000, *light)

    shoe.service.levels = three  # type: ignore[method-assign]
    shown = run("info", "--port", shoe.port).output
    assert ("side B" in shown) is ("B" in sides)
    document = validated("info", run("info", "--json", "--port", shoe.port).output)
    assert [head["side"] for head in document["heads"]] == sides


@pytest.mark.parametrize(("margin", "told"), [(103, "100 %"), (99, "99 %"), (255, "not known")])
def test_a_margin_is_at_most_a_hundred_percent(shoe: PtyShoe, margin: int, told: str) -> None:
    light = shoe.service.levels(0)[4:]
    shoe.service.levels = lambda head: (head, 255, 32000, margin, *light)  # type: ignore[method-assign]
    for command in (["info"], ["calibrate", "--show"]):
        shown = run(*command, "--port", shoe.port).output
        assert told in shown and "103" not in shown


def test_the_port_may_come_from_the_environment(shoe: PtyShoe, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(device.PORT_VARIABLE, shoe.port)
    assert run("info").exit_code == 0


def test_a_hostile_board_name_reaches_the_terminal_as_plain_text(shoe: PtyShoe) -> None:
    shoe.service.board = b"\x1b[2J\x07evil"
    output = run("info", "--port", shoe.port).output
    assert "\x1b" not in output and "\x07" not in output and "evil" in output


def test_configure_shows_the_settings(shoe: PtyShoe) -> None:
    output = run("configure", "--port", shoe.port).output
    assert all(row["name"] in output for row in CONFIGS.values())


def test_configure_says_what_may_be_typed_and_no_internal_names(shoe: PtyShoe) -> None:
    for output in (
        run("configure", "--port", shoe.port).output,
        run("configure", "--toml", "--port", shoe.port).output,
    ):
        for typed in ("blackjack, free_bet, spanish_21", "single, double", "red_suits, black_suits", "1 to 8"):
            assert typed in output
        assert all(option in output for option in OPTION_BITS)
        assert "enum." not in output and "bit 0" not in output and "65535" not in output


def test_configure_as_json_has_the_words_that_may_be_typed(shoe: PtyShoe) -> None:
    changes = ("shoe_kind=double", "options=two_batches")
    document = validated("configure", run("configure", *changes, "--dry-run", "--json", "--port", shoe.port).output)
    assert document["settings"]["game"] == "blackjack" and document["settings"]["options"] == []
    assert document["difference"]["shoe_kind"] == {"old": "single", "new": "double"}
    assert document["difference"]["options"] == {"old": [], "new": ["two_batches"]}


@pytest.mark.parametrize("command", ["info", "configure", "devices"])
def test_tables_in_a_pipe_end_where_their_text_ends(shoe: PtyShoe, tmp_path: Path, command: str) -> None:
    folder = tmp_path / "virtual"
    folder.mkdir()
    (folder / f"{os.getpid()}.port").write_text(shoe.port)
    lines = run(command).stdout.splitlines()
    assert lines and all(line == line.rstrip() for line in lines)


def test_configure_writes_what_differs_and_shows_it(shoe: PtyShoe) -> None:
    result = run("configure", "decks=8", "shoe_kind=double", "table=0", "--port", shoe.port)
    assert result.exit_code == 0, result.output
    assert "decks: 6 -> 8" in result.output and "shoe_kind: single -> double" in result.output
    assert "table" not in result.output and "written" in result.output
    assert shoe.service.config[3] == 8 and shoe.service.config[2] == 1


def test_a_dry_run_sends_nothing(shoe: PtyShoe) -> None:
    document = validated("configure", run("configure", "decks=8", "--dry-run", "--json", "--port", shoe.port).output)
    assert document["difference"] == {"decks": {"old": 6, "new": 8}} and not document["written"]
    assert shoe.service.config[3] == 6


def test_a_configuration_printed_as_toml_configures_again(shoe: PtyShoe, tmp_path: Path) -> None:
    path = tmp_path / "shoe.toml"
    path.write_text(run("configure", "--toml", "--port", shoe.port).output)
    result = run("configure", str(path), "--port", shoe.port)
    assert result.exit_code == 0 and "nothing to change" in result.output


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("decks=9", "decks = 9 is out of range: 1 to 8"),
        ("deks=6", "did you mean decks"),
        ("decks", "neither KEY=VALUE nor a TOML file"),
        ("missing.toml", "missing.toml"),
        ("game=spanish_21,", "game takes"),
    ],
)
def test_a_wrong_setting_is_refused_before_any_port_is_opened(change: str, said: str) -> None:
    one_line(run("configure", change, "--port", "/dev/no-such-port"), 2, said)


def test_settings_that_do_not_fit_together_are_not_sent(shoe: PtyShoe) -> None:
    one_line(run("configure", "game=2", "decks=4", "--port", shoe.port), 2, "635a.3(a)")
    assert shoe.service.config[1] == 0


def test_a_shoe_that_refuses_settings_is_exit_code_3(shoe: PtyShoe) -> None:
    shoe.service.refuse = Error.NOT_ALLOWED_NOW
    one_line(run("configure", "decks=8", "--port", shoe.port), 3, "refused")


@pytest.mark.parametrize("words", [("selftest", "--reader"), ("calibrate",)], ids=lambda words: words[0])
def test_without_the_key_of_a_provisioned_shoe_nobody_is_asked_anything(
    shoe: PtyShoe, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    pressed: list[int] = []
    monkeypatch.setattr(AuthorityClient, "needs_key", lambda _: True)
    shoe.service.key = lambda key, argument: (pressed.append(key), (1, 1))[1]  # type: ignore[method-assign]
    done = CliRunner().invoke(build(), [*words, "--port", shoe.port], input="y\ny\nn\n")
    one_line(done, 3, "this shoe is provisioned", "name the key file with --key")
    assert done.stdout == "" and not pressed


@pytest.mark.parametrize("with_key", [False, True])
def test_where_the_stored_key_is_damaged_it_is_said_and_histories_are_fetched_all_the_same(
    shoe: PtyShoe, tmp_path: Path, with_key: bool
) -> None:
    """To fetch them is the first thing to do: a mark that the shoe refuses must not end it."""
    shoe.damage_key()
    shoe.service.closed = True
    write_new(tmp_path / "one.shoekey", CommandKey(shoe.service.device, bytes(range(32))))
    key = ("--key", str(tmp_path / "one.shoekey")) if with_key else ()
    done = CliRunner().invoke(build(), ["selftest", "--reader", "--port", shoe.port, *key], input="y\ny\nn\n")
    one_line(done, 3, "stored key is damaged", "fetch the histories, then erase")
    assert done.stdout == "" and "--key" not in done.stderr
    refused = run("provision", "--yes", "--port", shoe.port, *key)
    one_line(refused, 2, "stored key is damaged", "fetch the histories, then erase")
    pulled = run("pull", "--out", str(tmp_path / "out"), "--port", shoe.port, *key)
    assert pulled.exit_code == 0, pulled.output
    assert "not marked as fetched: the shoe's stored key is damaged" in pulled.stderr and not shoe.service.fetched
    assert list((tmp_path / "out").glob("*.shoelog"))


def test_selftest_passes_or_names_the_part(shoe: PtyShoe) -> None:
    assert "passed" in run("selftest", "--port", shoe.port).output
    shoe.service.self_test_result = (1, 1 << 6)
    result = run("selftest", "--port", shoe.port)
    assert result.exit_code == 1 and "read head of side B" in result.output
    document = validated("selftest", run("selftest", "--json", "--port", shoe.port).output)
    assert not document["passed"] and document["failed"] == ["read head of side B"]


def test_trace_draws_the_lines_of_a_pass(shoe: PtyShoe) -> None:
    result = run("trace", "--last", "5", "--port", shoe.port)
    assert result.exit_code == 0, result.output
    assert result.output.count("CLOCK_A") == 2, "the shoe holds two passes"
    document = validated("trace", run("trace", "--json", "--port", shoe.port).output)
    assert len(document["passes"][0]["edges"]) == 100


def test_monitor_prints_a_line_an_event_and_never_a_face_down_card(shoe: PtyShoe) -> None:
    shoe.service.script.add("shoe_closed", 0, 1, 6)
    result = run("monitor", "--until-closed", "--port", shoe.port)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert len(lines) == len(shoe.service.script.records)
    assert "░░ face down to the dealer: hole card" in result.output
    for face in ("K♠", "Q♠"):
        assert face not in result.output


def test_monitor_as_json_lines(shoe: PtyShoe) -> None:
    shoe.service.script.add("carried", 1, 2, bytes([0x11]) + bytes(25))
    shoe.service.script.add("shoe_closed", 0, 1, 6)
    result = run("monitor", "--json", "--until-closed", "--port", shoe.port)
    documents = [validated("event", line) for line in result.output.splitlines()]
    carried = next(one["record"] for one in documents if one["record"]["kind"] == "carried")
    assert carried["drawn"] == 4, "how many are out, and not which"
    sealed = [one["record"] for one in documents if one["record"]["kind"] == "sealed"]
    assert len(sealed) == 2 and not any("card" in one for one in sealed)
    assert [(one["role"], one["position"]) for one in sealed] == [("burn", "rack"), ("hole", "dealer")]
    dealt = next(one["record"] for one in documents if one["record"]["kind"] == "card")
    assert (dealt["card"], dealt["role"], dealt["position"], dealt["side"]) == ("9♣", "opening", 1, "A")


def test_monitor_says_why_the_table_is_empty(shoe: PtyShoe) -> None:
    said: list[str] = []
    with device.open_client(shoe.port) as client:
        assert current_shoe(client, said.append) == 1 and not said
        shoe.service.closed = True
        assert current_shoe(client, said.append) is None
        shoe.service.script.add("shoe_closed", 0, 12, 287)
        assert current_shoe(client, said.append) is None
    ended = "No shoe is under way; the last one (history 1{}) is closed: shoetool pull --shoe 1"
    assert said == [ended.format(""), ended.format(", 12 rounds")]


# ----------------------------------------------------------------------------------------------------------- pulling
def test_pull_fetches_verbatim_and_again_only_what_is_new(shoe: PtyShoe, tmp_path: Path) -> None:
    first = validated("pull", run("pull", "--out", str(tmp_path), "--json", "--port", shoe.port).output)
    (history,) = first["histories"]
    assert history["new_pages"] == 1 and not history["resumed"] and not history["marked"]
    with ShoelogReader(history["file"]) as reader:
        assert list(reader.records()) == shoe.service.script.records
        assert reader.chain.ok and reader.identity is not None and reader.identity.device == b"SHOE0001"
    shoe.service.script.add("shoe_closed", 0, 1, 6)
    shoe.service.pages = shoe.service.script.pages(first_page=3)
    shoe.service.closed = True
    again = validated("pull", run("pull", "--out", str(tmp_path), "--json", "--port", shoe.port).output)
    assert again["histories"][0]["resumed"] and again["histories"][0]["marked"]
    assert shoe.service.fetched == {1}
    with ShoelogReader(history["file"]) as reader:
        assert list(reader.records()) == shoe.service.script.records
    assert "nothing to fetch" in run("pull", "--out", str(tmp_path), "--port", shoe.port).output
    assert "0 new" in run("pull", "--all", "--out", str(tmp_path), "--port", shoe.port).output


def test_a_fetched_history_is_labelled_in_words() -> None:
    path = Path("x.shoelog")
    assert Pulled(0, path, 1, 1, False, False, False).label() == (
        "history 0: start of the device, no cards, 1 page (1 new)"
    )
    assert Pulled(2, path, 3, 0, True, False, False).label() == "history 2, 3 pages (0 new), closed"


def test_a_guest_leaves_no_mark(shoe: PtyShoe, tmp_path: Path) -> None:
    shoe.service.closed = True
    assert run("pull", "--no-mark", "--out", str(tmp_path), "--port", shoe.port).exit_code == 0
    assert not shoe.service.fetched


def test_a_history_that_the_shoe_does_not_hold_is_named(shoe: PtyShoe, tmp_path: Path) -> None:
    one_line(run("pull", "--shoe", "9", "--out", str(tmp_path), "--port", shoe.port), 2, "no history 9", "holds 1")


def test_a_file_of_another_device_in_the_way_is_left_alone(shoe: PtyShoe, tmp_path: Path) -> None:
    path = tmp_path / f"{b'SHOE0001'.hex()}-00001.shoelog"
    short_shoe().write(path)
    before = path.read_bytes()
    one_line(run("pull", "--out", str(tmp_path), "--port", shoe.port), 2, path.name)
    assert path.read_bytes() == before


def test_an_out_folder_that_is_a_file_is_bad_input(shoe: PtyShoe, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("")
    one_line(run("pull", "--out", str(path / "x"), "--port", shoe.port), 2)


@pytest.mark.parametrize("after", [100, 150, 200])
def test_info_on_a_line_that_is_lost_ends_with_one_line_and_shows_nothing(
    shoe: PtyShoe, after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lost line was taken for a recording in which nobody had asked: minutes of waiting, and parts left out."""
    from shoetool.client.client import Client
    from shoetool.client.requests import Timeouts

    opened = Client.open
    hasty = Timeouts(answer_s=0.1, reconnect_s=0.2)
    monkeypatch.setattr(Client, "open", lambda port, **options: opened(port, hasty, **options))
    shoe.hang_up_after = after
    result = run("info", "--port", shoe.port)
    assert shoe.answered >= after, "the line was lost"
    assert result.exit_code == 3 and not result.stdout and len(result.stderr.splitlines()) == 1, result.output


# -------------------------------------------------------------------------------------------------------- recordings
def test_a_recording_answers_like_the_shoe(shoe: PtyShoe, tmp_path: Path) -> None:
    kept = tmp_path / "line.shoelink"
    live = run("info", "--port", shoe.port, "--record", str(kept))
    played = run("info", "--port", str(kept))
    assert played.exit_code == 0 and played.output == live.output


def test_a_recording_under_any_name_is_known_by_being_a_file(shoe: PtyShoe, tmp_path: Path) -> None:
    kept = tmp_path / "traffic"
    run("info", "--port", shoe.port, "--record", str(kept))
    assert run("info", "--port", str(kept)).exit_code == 0


def test_a_recording_overwrites_no_history(shoe: PtyShoe, tmp_path: Path) -> None:
    path = short_shoe().write(tmp_path / "a.shoelog")
    before = path.read_bytes()
    one_line(run("info", "--port", shoe.port, "--record", str(path)), 2, "is never overwritten")
    assert path.read_bytes() == before


def test_a_file_that_is_no_recording_is_bad_input(tmp_path: Path) -> None:
    path = tmp_path / "x.shoelink"
    path.write_bytes(b"nothing of the kind")
    one_line(run("info", "--port", str(path)), 2, "x.shoelink")


# --------------------------------------------------------------------------------------------------- the line's evils
@pytest.mark.parametrize("command", ["info", "pull", "monitor", "configure", "selftest", "trace"])
def test_a_port_that_is_missing(command: str) -> None:
    one_line(run(command, "--port", "/dev/no-such-port"), 3, "/dev/no-such-port", "no such port")


def test_a_port_that_is_busy(shoe: PtyShoe) -> None:
    from shoetool.link.serial_port import SerialTransport

    holder = SerialTransport(shoe.port)
    try:
        one_line(run("info", "--port", shoe.port), 3, "busy")
    finally:
        holder.close()


def test_a_shoe_that_another_command_watches_is_busy_and_not_absent(shoe: PtyShoe, tmp_path: Path) -> None:
    from shoetool.link.serial_port import SerialTransport

    folder = tmp_path / "virtual"
    folder.mkdir()
    (folder / f"{os.getpid()}.port").write_text(shoe.port)
    holder = SerialTransport(shoe.port)
    try:
        for command in ("info", "devices", "pull"):
            one_line(run(command), 3, f"the shoe on {shoe.port}: the port is busy: this program itself has it open")
        shown = run("devices", "--all").stdout
        assert shown.count(shoe.port) == 1 and "busy" in shown
        document = validated("devices", run("devices", "--json").stdout)
        assert shoe.port not in document["others"][0]["problem"]
    finally:
        holder.close()


def test_a_busy_port_that_may_have_no_shoe_is_not_called_one(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = Found("/dev/ttyUSB9", "", None, "the port is busy", busy=True)
    monkeypatch.setattr(device, "discover", lambda *_, **__: [taken])
    one_line(run("info"), 3, "no shoe answers; /dev/ttyUSB9: the port is busy; end that one first")


def test_a_port_that_is_no_serial_port() -> None:
    one_line(run("info", "--port", os.devnull), 3, os.devnull)


def test_a_device_that_says_nothing(shoe: PtyShoe) -> None:
    shoe.silent = True
    one_line(run("info", "--port", shoe.port), 3, shoe.port)


def test_a_newer_major_protocol_is_named(shoe: PtyShoe) -> None:
    shoe.service.protocol = (2, 0)
    one_line(run("info", "--port", shoe.port), 3, "2")


def test_a_newer_minor_protocol_is_read(shoe: PtyShoe) -> None:
    shoe.service.protocol = (1, 9)
    assert run("info", "--port", shoe.port).exit_code == 0


def test_text_on_the_line_is_kept_apart(shoe: PtyShoe) -> None:
    shoe.noise = b"\0MPY: soft reboot\r\n>>> \0"
    result = run("info", "--port", shoe.port)
    assert result.exit_code == 0 and "MPY" not in result.output


def test_a_cable_pulled_during_a_transfer_leaves_what_is_safe(
    shoe: PtyShoe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from shoetool.client.client import Client
    from shoetool.client.requests import Timeouts

    opened = Client.open
    monkeypatch.setattr(
        Client, "open", lambda port, **options: opened(port, Timeouts(answer_s=0.1, reconnect_s=0.2), **options)
    )
    for _ in range(40):
        for card in range(8):
            shoe.service.script.add("card", 3, 1, 0, 0, card, 1, 120, 200)
    shoe.service.pages = shoe.service.script.pages(first_page=3)
    assert len(shoe.service.pages) > 1
    shoe.hang_up_after = 6000
    result = run("pull", "--out", str(tmp_path), "--port", shoe.port)
    assert shoe.answered >= 6000, "the cable was pulled"
    one_line(result, 3, "pages are safe", "run it again")
    with PtyShoe(shoe.service) as again:
        assert run("pull", "--out", str(tmp_path), "--port", again.port).exit_code == 0
    (path,) = tmp_path.glob("*.shoelog")
    with ShoelogReader(path) as reader:
        assert list(reader.records()) == shoe.service.script.records


# --------------------------------------------------------------------------------------------------------- discovery
def found(port: str, name: bytes) -> Found:
    return Found(port, "", Identity(1, 0, name, (0, 1, 0), 1, 1, "pty"), None)


def test_the_only_shoe_is_found_by_itself(shoe: PtyShoe, tmp_path: Path) -> None:
    folder = tmp_path / "virtual"
    folder.mkdir()
    (folder / f"{os.getpid()}.port").write_text(shoe.port)
    (folder / "not-a-process.port").write_text("/dev/no-such-port")
    assert run("info").exit_code == 0
    document = validated("devices", run("devices", "--json").output)
    assert [one["port"] for one in document["devices"]] == [shoe.port]


def test_several_shoes_are_listed_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    both = [found("/dev/ttyACM0", b"SHOE0001"), found("/dev/ttyACM1", b"SHOE0002")]
    monkeypatch.setattr(device, "discover", lambda *_, **__: both)
    one_line(run("info"), 3, "2 shoes", "/dev/ttyACM0", "/dev/ttyACM1", "--port")


def test_no_shoe_at_all_is_exit_code_3() -> None:
    one_line(run("info"), 3, "no shoe", "--port")
    one_line(run("devices"), 3, "no shoe")


def test_devices_says_why_a_port_has_no_shoe(monkeypatch: pytest.MonkeyPatch) -> None:
    other = Found("/dev/ttyUSB9", "", None, "/dev/ttyUSB9: no answer of a shoe")
    monkeypatch.setattr(device, "discover", lambda *_, **__: [found("/dev/ttyACM0", b"SHOE0001"), other])
    result = run("devices", "--all")
    assert result.exit_code == 0 and "no answer of a shoe" in result.output and "/dev/ttyACM0" in result.output
