"""The examples of LIVE.md: the receiver of alerts refuses what is false, late or repeated; the unit of systemd runs."""

from __future__ import annotations

import asyncio
import base64
import configparser
import contextlib
import importlib.util
import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx2 as httpx
import pytest
from serve_child import begin, serve_child, until
from shoetool.model.errors import BadInput
from shoetool.serve.alert_key import derived_key, new_id, read_alert_key, signed_headers
from shoetool.serve.alerts import Alerts
from test_serve_attacked import certificate

EXAMPLES = Path(__file__).resolve().parents[2] / "host_tools" / "examples"
RECEIVER = EXAMPLES / "receive_alerts.py"
UNIT = EXAMPLES / "shoetool-serve.service"
KEY = bytes(range(32))
KEY_TEXT = f"whsec_{base64.b64encode(KEY).decode()}"
TOKEN = "abcdefghijklmnop-1234"
NOW = 1_795_802_400


def alert(number: int) -> dict[str, Any]:
    record = {"record": number, "boot": 1, "ticks_ms": 5, "kind": "refilled"}
    return {"type": "record", "table": "7", "seq": 1, "received": 0.0, "record": record, "sentence": f"alert {number}"}


@pytest.fixture(scope="module")
def module() -> ModuleType:
    spec = importlib.util.spec_from_file_location("receive_alerts", RECEIVER)
    assert spec is not None and spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


@pytest.fixture
def receiver(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """The address of the example, which runs as an integrator runs it, and the file of what it prints."""
    key, out = tmp_path / "key", tmp_path / "out"
    key.write_text(KEY_TEXT + "\n")
    words = [sys.executable, str(RECEIVER), str(key), "127.0.0.1:0"]
    with out.open("wb") as to, subprocess.Popen(words, stdout=to, preexec_fn=begin) as process:
        try:
            until(lambda: b"\n" in out.read_bytes() or process.poll() is not None, "it does not start")
            yield out.read_text().split()[0], out
        finally:
            process.kill()


def printed(out: Path) -> list[str]:
    return out.read_text().splitlines()[1:]


def post(address: str, headers: dict[str, str], body: bytes) -> int:
    return httpx.post(address, headers=headers, content=body, timeout=10).status_code


def test_what_serve_posts_is_taken(receiver: tuple[str, Path]) -> None:
    address, out = receiver
    told: list[str] = []

    async def watch() -> None:
        alerts = Alerts((address,), KEY, told.append)
        running = asyncio.create_task(alerts.run())
        for number in range(3):
            alerts.take(alert(number))
        ends = time.monotonic() + 20
        while (alerts.receivers[0].waiting or len(printed(out)) < 3) and time.monotonic() < ends:
            await asyncio.sleep(0.02)
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running

    asyncio.run(watch())
    assert printed(out) == [f"7 refill alert {number}" for number in range(3)] and told == []


def test_a_replayed_delayed_or_changed_post_is_not_taken(receiver: tuple[str, Path]) -> None:
    address, out = receiver
    now = int(time.time()) + 1  # it may have begun in this second
    body = json.dumps({"table": "7", "why": "refill", "sentence": "once"}).encode()
    good = signed_headers(KEY, new_id(), now, body)
    assert post(address, good, body) == 204
    assert post(address, good, body) == 204, "a try whose answer was lost: taken, and not printed again"
    assert post(address, good, body.replace(b"once", b"more")) == 401
    assert post(address, {**good, "webhook-id": new_id()}, body) == 401
    assert post(address, {**good, "webhook-timestamp": str(now + 1)}, body) == 401
    assert post(address, signed_headers(KEY, new_id(), now - 301, body), body) == 401
    assert post(address, signed_headers(KEY, new_id(), now + 3600, body), body) == 401
    assert post(address, signed_headers(TOKEN.encode(), new_id(), now, body), body) == 401, "the viewing token"
    assert post(address, {}, body) == 401
    assert post(address, good, b"x" * 70_000) == 413
    assert printed(out) == ["7 refill once"]


def test_the_receiver_by_its_clock(module: ModuleType) -> None:
    body = b"{}"
    one = module.Receiver(KEY, NOW)
    headers = signed_headers(KEY, "alert_1", NOW, body)
    assert one.take(headers, body, NOW + 300) == {} and one.take(headers, body, NOW + 300) is None
    with pytest.raises(module.Refused, match="another time"):
        one.take(headers, body, NOW + 301)
    with pytest.raises(module.Refused, match="another time"):  # it began anew, and no longer knows what it took
        module.Receiver(KEY, NOW + 1).take(headers, body, NOW + 2)
    for at in range(1000):
        one.take(signed_headers(KEY, f"alert_{at + 2}", NOW + at, body), body, NOW + at)
    assert len(one.seen) <= 602, "ids are forgotten when they cannot come again"


def test_the_key_that_follows_from_the_token(module: ModuleType, tmp_path: Path) -> None:
    token, key = tmp_path / "token", tmp_path / "key"
    token.write_text(f"{TOKEN}\n")
    key.write_text(module.key_of(str(token)))
    assert read_alert_key(key) == module.key_in(str(key)) == derived_key(TOKEN)
    assert TOKEN.encode() not in derived_key(TOKEN) and derived_key(TOKEN) != derived_key(TOKEN + "5")
    for text in ("", TOKEN, "whsec_", "whsec_!", "whsec_AAAA", KEY_TEXT[6:]):
        key.write_text(text)
        with pytest.raises(BadInput, match="whsec_ and 24 to 64"):
            read_alert_key(key)


# ------------------------------------------------------------------------------------------------------ the service
def unit() -> configparser.ConfigParser:
    """The unit; a setting that stands twice is a list of lines."""
    text = re.sub(r"\\\n\s*", "", UNIT.read_text(encoding="utf-8"))
    found = configparser.ConfigParser(strict=False, interpolation=None, dict_type=dict)
    found.optionxform = str  # type: ignore[assignment, method-assign]
    found.read_string(text)
    return found


def credentials() -> list[str]:
    return re.findall(r"^LoadCredential=([^:]+):/etc/shoetool/\1$", UNIT.read_text(encoding="utf-8"), re.M)


def test_the_service_runs_as_it_stands_there(tmp_path: Path) -> None:
    """With the credentials that it names, and to its end by systemd's signal."""
    words = unit()["Service"]["ExecStart"].split()
    assert words[:2] == ["/opt/shoetool/bin/shoetool", "serve"]
    used = re.findall(r"\$\{CREDENTIALS_DIRECTORY\}/(\S+)", " ".join(words))
    assert sorted(used) == sorted(credentials()) and len(used) == 4
    certificate(tmp_path)
    (tmp_path / "token").write_text(TOKEN)
    (tmp_path / "webhook-key").write_text(KEY_TEXT)
    options = [word.replace("${CREDENTIALS_DIRECTORY}", str(tmp_path)) for word in words[words.index("--name") :]]
    with serve_child(tmp_path, *options, token=None) as child:
        until(lambda: "#token=TOKEN" in child.out.read_text(), "the address is not printed")
        assert TOKEN not in child.out.read_text() + child.said()
        child.process.terminate()
        assert child.process.wait(20) == 0, child.said()


def test_the_service_may_do_little(tmp_path: Path) -> None:
    wanted = {
        "NoNewPrivileges": "yes",
        "ProtectSystem": "strict",
        "ProtectHome": "yes",
        "PrivateTmp": "yes",
        "DynamicUser": "yes",
        "CapabilityBoundingSet": "",
        "DevicePolicy": "closed",
        "RestrictAddressFamilies": "AF_INET AF_INET6 AF_UNIX",
    }
    service = unit()["Service"]
    assert {name: service.get(name) for name in wanted} == wanted
    assert "User" not in service and "$SHOETOOL_TOKEN" not in UNIT.read_text()
    if shutil.which("systemd-analyze") is None:
        return
    copy = tmp_path / UNIT.name
    copy.write_text(UNIT.read_text().replace("/opt/shoetool/bin/shoetool", "/bin/true"))
    done = subprocess.run(["systemd-analyze", "verify", str(copy)], capture_output=True, text=True, check=False)
    if "Failed to initialize manager" not in done.stderr:  # as nobody, or in a container
        assert done.returncode == 0 and done.stderr.strip() == "", done.stderr


def test_the_document_shows_the_examples() -> None:
    text = (EXAMPLES.parent / "LIVE.md").read_text(encoding="utf-8")
    for name in (RECEIVER.name, UNIT.name):
        assert f"(examples/{name})" in text
    for option in re.findall(r"--[a-z-]+", unit()["Service"]["ExecStart"]):
        assert f"`{option}" in (EXAMPLES.parent / "CLI.md").read_text(encoding="utf-8")
