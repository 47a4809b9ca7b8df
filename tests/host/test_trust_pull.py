"""Fetching a history with its signature: waited for while it is made, kept with the key that it names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from histories import Script
from pty_shoe import PtyShoe, Service, short_shoe
from shoe.service_error import ServiceError
from shoetool.cli import pulling
from shoetool.cli.pulling import Pulled, pull_histories
from shoetool.client.client import Client
from shoetool.history.store import ShoelogReader
from shoetool.model.errors import DeviceError
from shoetool.model.protocol_table import Error, Signature, Signing
from shoetool.trust.keys import PublicKey
from signed_histories import Key, sign_pages

DEVICE = b"SHOE0001"


def closed_shoe() -> Script:
    script = short_shoe()
    script.add("shoe_closed", 0, 1, 6)
    return script


class SigningService(Service):
    """A closed shoe whose signature is `pending` so many times that it is asked for, and then there."""

    def __init__(self, pending: int = 0, state: int = Signature.SIGNED) -> None:
        super().__init__(closed_shoe())
        self.closed = True
        self.key_of_today = Key("pulled")
        self.pending = pending
        self.state = state
        self.asked = 0
        self.longest = 300
        chunk = sign_pages(self.pages, self.key_of_today, 0, DEVICE)
        self.blob = chunk.statement + chunk.signature

    def signing_key(self) -> tuple[object, ...]:
        return (Signing.READY, 5, 1, 32, 32, self.key_of_today.public)

    def signature(self, shoe: int, offset: int) -> tuple[object, ...]:
        self.asked += 1
        if self.asked <= self.pending:
            return (Signature.PENDING, shoe, 0, offset, b"")
        if self.state != Signature.SIGNED:
            return (self.state, shoe, 0, offset, b"")
        return (self.state, shoe, len(self.blob), offset, self.blob[offset : offset + self.longest])


@pytest.fixture
def fetch(tmp_path: Path) -> Iterator[object]:
    def pull(service: Service) -> Pulled:
        with PtyShoe(service) as shoe, Client.open(shoe.port) as client:
            return pull_histories(client, client.history_list(), tmp_path)[0]

    yield pull


def kept(pulled: Pulled) -> list[tuple[int, bytes, bytes]]:
    """(state, public key, statement and signature) of each SIGN chunk."""
    with ShoelogReader(pulled.path) as reader:
        list(reader.pages())
        return [(chunk.state, chunk.public, chunk.statement + chunk.signature) for chunk in reader.signatures]


def test_a_signature_comes_in_pieces_and_is_kept_with_its_key(fetch) -> None:  # type: ignore[no-untyped-def]
    service = SigningService()
    pulled = fetch(service)
    assert pulled.signature == Signature.SIGNED and pulled.marked and service.asked > 5
    assert kept(pulled) == [(Signature.SIGNED, service.key_of_today.public, service.blob)]
    assert pulled.label().endswith("closed, signed")


def test_a_shoe_that_is_being_signed_is_waited_for(fetch) -> None:  # type: ignore[no-untyped-def]
    service = SigningService(pending=3)
    assert fetch(service).signature == Signature.SIGNED and service.asked > 3


def test_a_shoe_that_is_not_signed_in_time_is_kept_without_and_not_marked(  # type: ignore[no-untyped-def]
    fetch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pulling, "PATIENCE_S", 0.0)
    service = SigningService(pending=10_000)
    pulled = fetch(service)
    assert pulled.signature == Signature.PENDING and not pulled.marked and not service.fetched
    assert kept(pulled) == [] and "not signed yet" in pulled.label()
    service.pending = 0
    again = fetch(service)
    assert again.signature == Signature.SIGNED and again.marked and len(kept(again)) == 1


def test_a_signature_of_an_older_key_is_kept_with_the_key_that_it_names(fetch) -> None:  # type: ignore[no-untyped-def]
    service = SigningService()
    old = service.key_of_today
    service.key_of_today = Key("renewed")
    ((_, public, _),) = kept(fetch(service))
    assert public == old.public and PublicKey(public).identifier == old.identifier


@pytest.mark.parametrize("state", [Signature.USED_UP, Signature.FAILED])
def test_a_shoe_that_closed_unsigned_is_kept_with_the_reason(state: Signature, fetch) -> None:  # type: ignore[no-untyped-def]
    pulled = fetch(SigningService(state=state))
    assert kept(pulled) == [(state, b"", b"")] and "NOT signed" in pulled.label() and pulled.marked


def test_pieces_in_disorder_are_refused(fetch) -> None:  # type: ignore[no-untyped-def]
    service = SigningService()
    service.longest = 0
    with pytest.raises(DeviceError, match="disorder"):
        fetch(service)


def test_older_firmware_has_no_signature(fetch) -> None:  # type: ignore[no-untyped-def]
    service = SigningService()

    def unknown(*words: int) -> tuple[object, ...]:
        raise ServiceError(Error.UNKNOWN_MESSAGE)

    service.signature = unknown  # type: ignore[method-assign]
    pulled = fetch(service)
    assert pulled.signature == Signature.NO_KEY and kept(pulled) == [] and pulled.marked


class GrowingService(SigningService):
    """A record follows the closed shoe when the host has read it and has yet to say so, so many times."""

    def __init__(self, times: int) -> None:
        super().__init__(state=Signature.USED_UP)
        self.times = times
        self.marked: list[int] = []  # records that the history had when it was marked

    def history_fetched(self, shoe: int) -> None:
        if self.times:
            self.times -= 1
            self.script.add("fault", 1, 0, 0)
            self.pages = self.script.pages(first_page=3)
        self.marked.append(len(self.script.records))
        super().history_fetched(shoe)


@pytest.mark.parametrize("times", [1, 2, 10])
def test_a_history_that_grew_before_it_was_marked_is_fetched_again(fetch, times: int) -> None:  # type: ignore[no-untyped-def]
    service = GrowingService(times)
    pulled = fetch(service)
    assert pulled.marked and len(service.marked) == min(times, 3) + 1
    with ShoelogReader(pulled.path) as reader:
        kept = b"".join(reader.pages())
    if times < 3:
        assert kept == b"".join(service.pages)
