"""The one place where shoetool writes files: whole, durable, and never over evidence or an input of the same run.

A new content is written beside its target under a random name, made durable and then renamed, so nobody ever reads a
part of it. Before the work and again before the rename the target is looked at:

- It is no link, folder, pipe or device. A link is refused, not followed: whoever planted it does not choose what is
  overwritten, and whoever made it himself can name the file that it leads to.
- It is no input of the run: none that a reader has opened (`input_file`), and none that the command line names. Hard
  links are the same file.
- It is new or empty, or of the kind that is written (`file_kinds`). `--force` lets another file be replaced, but never
  evidence or a secret.

Shoetool's own state (pins, checkpoints, notes) goes through `write_state`: it takes the place of its own kind alone.
Files that grow go through `open_growing` and `open_new`.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import BinaryIO, Final

from shoetool.model import input_file
from shoetool.model.errors import BadInput
from shoetool.model.file_kinds import SAMPLE_BYTES, Found, Guard, Kind, Sample, kind_of

_PLAIN: Final = (
    getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
_NAMELESS: Final = ("", ".")
"""Path("") is the current folder."""

FileId = tuple[int, int]
"""Device and inode: the file, whatever it is called."""


@dataclass(slots=True)
class _Run:
    """What the writer knows of the command that runs. Outside of a command nothing is named, and nothing forced."""

    inputs: frozenset[FileId] = frozenset()
    force: bool = False
    is_command: bool = False
    written: set[FileId] = field(default_factory=set)


_runs: Final = [_Run()]


@contextmanager
def run_with(inputs: Iterable[str], force: bool = False) -> Iterator[None]:
    """While a command runs, guard the files that its command line names, and let `force` replace what may be."""
    input_file.forget_opened()
    identities = (_identity(name) for name in inputs)
    _runs.append(_Run(frozenset(one for one in identities if one is not None), force, True))
    try:
        yield
    finally:
        _runs.pop()


def _identity(name: str) -> FileId | None:
    try:
        found = Path(name).stat()
    except (OSError, ValueError):
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None


# ------------------------------------------------------------------------------------------------ what may be replaced
def check_output(path: Path, *kinds: Kind, resumes: bool = False) -> None:
    """Raise BadInput when a file of one of these kinds may not be written to a path. Nothing is written.

    `resumes`: one of the kind that is there may stay, and is taken up.
    """
    _replaceable(path, partial(_refusal, kinds=kinds, resumes=resumes))


def check_state(path: Path, kind: Kind) -> None:
    """Raise BadInput when state of this kind may not be written to a path. Nothing is written."""
    _replaceable(path, partial(_state_refusal, kind=kind), state=True)


def _replaceable(path: Path, refusal: Callable[[Found], str | None], state: bool = False) -> os.stat_result | None:
    """Return the `os.stat` of the file whose place an output may take; None when the path is free. BadInput."""
    there = _look(path)
    if there is None:
        return None
    run, identity = _runs[-1], (there.st_dev, there.st_ino)
    if run.is_command and not state:
        if identity in run.inputs or input_file.was_opened(there):
            raise BadInput(f"{path}: is an input of this command; name another file for the output")
        if identity in run.written:
            raise BadInput(f"{path}: is another output of this command; name another file for each")
    if there.st_size:
        why = refusal(_found(path))
        if why is not None:
            raise BadInput(f"{path}: {why}")
    return there


def _look(path: Path) -> os.stat_result | None:
    """Return the `os.stat` of a regular file; None when the path is free. BadInput when something else is there."""
    name = os.fspath(path)
    if name in _NAMELESS:
        raise BadInput("no file is named where an output is expected")
    if name == "-":
        raise BadInput("-: this output does not go to standard output; name a file")
    try:
        there = os.lstat(path)
        if stat.S_ISLNK(there.st_mode):
            device = input_file.word_of(path.stat().st_mode) if path.exists() else None
            raise BadInput(f"{path}: {_link_words(path, device)}")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except ValueError as error:  # a NUL in the name
        raise BadInput(f"{name[:60]!r}: {error}") from None
    except OSError as error:
        raise BadInput(f"{path}: cannot be written: {error.strerror}") from None
    kind = input_file.word_of(there.st_mode)
    if kind is not None:
        raise BadInput(f"{path}: is {kind}; an output goes into a file")
    return there


def _link_words(path: Path, device: str | None) -> str:
    if device is not None:
        return f"is a link to {device}; an output goes into a file"
    return f"is a link to {path.readlink()}; links are not followed: name the file itself, or remove the link"


def _found(path: Path) -> Found:
    """Return what an existing file is. BadInput when nobody can tell."""
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | _PLAIN), "rb") as file:  # reads: a target, no input
            data = file.read(SAMPLE_BYTES)
            whole = os.fstat(file.fileno()).st_size <= len(data)
    except OSError as error:
        raise BadInput(f"{path}: is there, and cannot be read ({error.strerror}): it is not overwritten") from None
    return kind_of(Sample(data, path.absolute(), whole))


def _refusal(found: Found, kinds: tuple[Kind, ...], resumes: bool = False) -> str | None:
    """Return why an output of these kinds may not take the place of a file; None when it may."""
    if resumes and found.kind in kinds:
        return None
    wanted = " or ".join(kind.name for kind in kinds)
    if found.kind.is_evidence:
        return f"{found.words}; it is never overwritten: name another file"
    if all(kind.is_evidence for kind in kinds):
        return f"is there already; {wanted} goes into a new file: name another"
    if _runs[-1].force:
        return None
    if found.kind not in kinds:
        return f"{found.words}, not {wanted}; it is not overwritten: name another file, or add --force"
    if found.kind.guard is Guard.ASKS:
        return "is there already; choose another name, or add --force"
    return None


def _is_own(found: Found, kind: Kind) -> bool:
    """Return whether a file is of this kind; of one without a mark: whether it has the mark of no evidence."""
    return found.kind is kind or (kind.fits is None and (found.by_name or not found.kind.is_evidence))


def _state_refusal(found: Found, kind: Kind) -> str | None:
    """Return why state of this kind may not take the place of a file; None when it may."""
    if _is_own(found, kind):
        return None
    return f"{found.words}, not {kind.name}; it is not overwritten: move it away"


# ------------------------------------------------------------------------------------------------------ whole files
def write_whole(path: Path, content: str | bytes, kind: Kind) -> None:
    """Write an output that somebody named, and its folder if need be: whole, and durable when this returns.

    BadInput when it may not be written or cannot be. After a power cut there is the old content or the new one.
    """
    with writing_whole(path, kind) as file:
        file.write(content.encode() if isinstance(content, str) else content)


@contextmanager
def writing_whole(path: Path, kind: Kind) -> Iterator[BinaryIO]:
    """Write a file as `write_whole` does, piece by piece. Nothing is left of it when the work inside fails."""
    with _as_bad_input(path):
        output = WholeFile(path, kind)
        try:
            yield output.file
            output.finish()
        finally:
            output.discard()


def write_state(path: Path, content: str | bytes, kind: Kind) -> None:
    """Write a file of shoetool's own state as `write_whole` does. It takes the place of a file of this kind alone."""
    with _as_bad_input(path):
        output = WholeFile(path, kind, state=True)
        try:
            output.file.write(content.encode() if isinstance(content, str) else content)
            output.finish()
        finally:
            output.discard()


class WholeFile:
    """A file under way: write into `file`, then `finish` gives it its name, or `discard` leaves nothing of it.

    BadInput when it may not be written, OSError when it cannot be.
    """

    def __init__(self, path: Path, kind: Kind, state: bool = False) -> None:
        """Look at the target, and open a new file beside it."""
        self.path = path
        self._state = state
        self._refusal = partial(_state_refusal, kind=kind) if state else partial(_refusal, kinds=(kind,))
        there = _replaceable(path, self._refusal, state)
        make_folder(path.parent)
        self._fresh: Path | None = _beside(path)
        self.file: BinaryIO = os.fdopen(_open_fresh(self._fresh, 0o666), "wb")
        try:
            if there is not None and hasattr(os, "fchmod"):
                os.fchmod(self.file.fileno(), stat.S_IMODE(there.st_mode) & 0o777)  # a private file stays private
        except BaseException:
            self.discard()
            raise

    def finish(self) -> None:
        """Make the content durable, look at the target once more, and rename."""
        assert self._fresh is not None
        self.file.flush()
        os.fsync(self.file.fileno())
        made = os.fstat(self.file.fileno())
        self.file.close()
        _replaceable(self.path, self._refusal, self._state)
        self._fresh.replace(self.path)
        self._fresh = None
        sync_folder(self.path.parent)
        if _runs[-1].is_command and not self._state:
            _runs[-1].written.add((made.st_dev, made.st_ino))

    def discard(self) -> None:
        """Leave nothing behind. A file that has its name stays."""
        with suppress(OSError):  # a full disk: what is left in the buffer is not wanted
            self.file.close()
        if self._fresh is not None:
            self._fresh.unlink(missing_ok=True)
            self._fresh = None


def write_private(path: Path, text: str) -> None:
    """Write a new file that its owner alone may read (0600): whole or not at all, and durable when this returns.

    It never replaces a file: FileExistsError. Any other OSError leaves nothing behind.
    """
    if os.fspath(path) in (*_NAMELESS, "-"):
        _look(path)
    temporary = _beside(path)
    descriptor = _open_fresh(temporary, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        path.hardlink_to(temporary)  # unlike a rename, this never replaces a file
    finally:
        temporary.unlink()
    sync_folder(path.parent)


def _beside(path: Path) -> Path:
    """Return a name in the same folder that nobody can guess, however long the name of the target is."""
    return path.with_name(f".shoetool-{secrets.token_hex(8)}.tmp")


def is_unfinished(name: str) -> bool:
    """Return whether a file of this name is one that a run was killed over."""
    return name.startswith(".shoetool-") and name.endswith(".tmp")


def _open_fresh(path: Path, mode: int) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _PLAIN, mode)


@contextmanager
def _as_bad_input(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise BadInput(f"{path}: cannot be written: {error.strerror or error}") from None


# ----------------------------------------------------------------------------------------------- files that grow
def open_growing(path: Path, kind: Kind, lines: bool = False) -> BinaryIO:
    """Open a file to read and to continue it; a missing one is created. It must be empty or of this kind.

    With `lines` all that is written goes to its end, whatever others have added meanwhile. Else the file stands at its
    start. Its name is not yet durable (`sync_folder`). BadInput when it is something else, OSError when it cannot be
    opened.
    """
    there = _look(path)
    if there is not None and there.st_size:
        found = _found(path)
        if not _is_own(found, kind):
            raise BadInput(f"{path}: {found.words}, not {kind.name}; nothing is added to it")
    return _opened(path, os.O_RDWR | os.O_CREAT | (os.O_APPEND if lines else 0), kind)


def open_new(path: Path, kind: Kind) -> BinaryIO:
    """Open a new file that grows under its own name, such as a recording. An empty one is taken too.

    BadInput when there is another file, OSError when it cannot be opened.
    """
    _replaceable(path, partial(_refusal, kinds=(kind,)))
    file = _opened(path, os.O_RDWR | os.O_CREAT, kind)
    if os.fstat(file.fileno()).st_size:  # somebody wrote it since
        file.close()
        raise BadInput(f"{path}: is there already; {kind.name} goes into a new file: name another")
    return file


def _opened(path: Path, flags: int, kind: Kind) -> BinaryIO:
    try:
        number = os.open(path, flags | _PLAIN, 0o666)  # reads: what is added to
    except OSError as error:
        if error.errno == errno.ELOOP:  # a link that was put there since
            raise BadInput(f"{path}: is a link; links are not followed: name the file itself") from None
        raise
    word = input_file.word_of(os.fstat(number).st_mode)
    if word is not None:
        os.close(number)
        raise BadInput(f"{path}: is {word}, not {kind.name}")
    return os.fdopen(number, "r+b")


# ------------------------------------------------------------------------------------------------------- folders
def output_folder(path: Path, create: bool = True) -> Path:
    """Return a folder that files can be written into. A missing one is created (durably). BadInput says why not.

    Without `create` nothing is created: a missing folder is accepted when it could be created where it would lie.
    """
    import tempfile  # it takes a while to load, and most commands write into no folder

    try:
        if create:
            make_folder(path)
        with tempfile.TemporaryFile(dir=path if create else next(one for one in (path, *path.parents) if one.exists())):
            pass
    except (FileExistsError, NotADirectoryError):
        what = input_file.word_of(path.stat().st_mode) if path.exists() else None
        raise BadInput(f"{path}: is {what or 'a file'}, not a folder") from None
    except OSError as error:
        raise BadInput(f"{path}: no file can be written into this folder: {error.strerror}") from None
    return path


def is_private(path: Path) -> bool:
    """Whether only its owner may read the file."""
    try:
        return not path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO)
    except OSError:
        return True


def make_folder(path: Path) -> None:
    """Create a folder that is missing, with those above it, durably. OSError when that fails."""
    missing = [one for one in (path, *path.parents) if not one.exists()]
    path.mkdir(parents=True, exist_ok=True)
    for one in missing:
        sync_folder(one.parent)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable. OSError when that fails. Windows does it by itself and has no call for it."""
    if os.name == "nt":
        return
    number = os.open(folder, os.O_RDONLY)  # reads: nothing, a folder is made durable
    try:
        os.fsync(number)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # some network file systems cannot do it
            raise
    finally:
        os.close(number)
