"""A small sample of the fuzz campaign (`make soak` runs the long one): seeds, and what hypothesis makes of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import targets
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

HERE = Path(__file__).resolve().parent
SLOW = {"device_boot": 12, "device_open": 40, "device_provisioned": 60}


@pytest.mark.parametrize("name", targets.TARGETS)
def test_every_target_has_seeds_and_keeps_its_promises_with_them(name: str) -> None:
    found = targets.seeds(name)
    assert found
    for seed in found:
        targets.TARGETS[name](seed)


def test_the_seeds_of_who_has_the_key_reach_an_update_and_a_whole_provisioning() -> None:
    """The four last seeds: firmware announced as it is, other firmware, a new key, a new key with a signing key."""
    import device_targets
    from shoe import wire_table as t

    known = [seed for seed in targets.seeds("device_provisioned") if device_targets.GIVE in seed[1::1][:1]]
    assert len(known) == 4
    reached = []
    for seed in known:
        life = device_targets._provisioned
        life.left = 0
        before = life.app().gate.keys.key
        targets.TARGETS["device_provisioned"](seed)
        keys = life.current.gate.keys
        reached.append((bool(keys.announced), keys.key != before, life.current.signing.state != t.SIGNING_NO_KEY))
    assert reached == [(False, False, False), (True, False, False), (False, True, False), (False, True, True)]


def test_the_seeds_of_the_judgement_reach_good_and_bad_signatures(monkeypatch: pytest.MonkeyPatch) -> None:
    import trust_target

    reports = []
    real = trust_target.verify
    monkeypatch.setattr(
        trust_target, "verify", lambda *words, **more: reports.append(real(*words, **more)) or reports[-1]
    )
    for seed in targets.seeds("host_trust"):
        targets.TARGETS["host_trust"](seed)
    known = [shoe for report in reports for shoe in report.summary.signatures]
    assert any(shoe.good for shoe in known) and any(report.summary.behind_signed_end for report in reports)
    assert {"cut", "spliced", "reordered", "edited", "forged"} <= {name for shoe in known for name in shoe.found}


def mutated(seed: bytes) -> st.SearchStrategy[bytes]:
    """A seed with bytes changed, cut off or doubled."""
    places = st.integers(0, max(0, len(seed) - 1))
    edits = st.lists(st.tuples(places, st.integers(0, 255)), min_size=1, max_size=8)

    def apply(edits: list[tuple[int, int]], cut: int, twice: bool) -> bytes:
        data = bytearray(seed)
        for at, value in edits:
            if data:
                data[at] = value
        del data[cut:]
        return bytes(data) * (2 if twice else 1)

    return st.builds(apply, edits, st.one_of(st.just(len(seed)), places), st.booleans())


@pytest.mark.parametrize("name", targets.TARGETS)
def test_every_target_keeps_its_promises_with_mutated_seeds_and_any_bytes(name: str) -> None:
    inputs = st.one_of(st.sampled_from(targets.seeds(name)).flatmap(mutated), st.binary(max_size=600))

    @settings(max_examples=SLOW.get(name, 50), suppress_health_check=list(HealthCheck))
    @given(inputs)
    def check(data: bytes) -> None:
        targets.TARGETS[name](data)

    check()


def test_the_shares_are_those_of_all_targets() -> None:
    assert set(targets.SHARES) == set(targets.TARGETS) and sum(targets.SHARES.values()) == 1000


def test_a_broken_promise_is_found_and_named(tmp_path: Path) -> None:
    """The campaign's runner on a target that breaks one: it says so, and keeps the input."""
    pytest.importorskip("atheris", reason="the guided fuzzer is an extra: pip install -e '.[fuzz]'")
    program = (
        "import sys; sys.path.insert(0, sys.argv.pop(1)); import targets, guided\n"
        "def broken(data):\n    assert data[:1] != b'!', 'found it'\n"
        "targets.TARGETS['device_config'] = broken\n"
        "guided.main()\n"
    )
    command = [sys.executable, "-c", program, str(HERE), "device_config", str(tmp_path / "corpus")]
    done = subprocess.run(
        [*command, "-runs=200000", "-seed=1", f"-artifact_prefix={tmp_path}/"], capture_output=True, timeout=120
    )
    assert done.returncode != 0 and b"found it" in done.stdout + done.stderr
    assert [path for path in tmp_path.glob("crash-*") if path.read_bytes()[:1] == b"!"]
