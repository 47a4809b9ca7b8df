"""The device end of tests/host/flash_stand_in.py, run by MicroPython's unix port: a board's REPL over pipes.

argv: file that is the storage, `raw` or `boot`, number of flash operations until the power fails (-1 never), version as
`1.28.0`, platform. Exit codes: 3 start anew and run main.py, 4 start anew into the raw REPL, 9 the power has failed.
What it does beside that is what a board does: mount the root file system, run boot.py and main.py, answer the prompts.
"""

import sys

import vfs

PAGE = 4096
PAGES = 352
_path, _mode, _left, _version, _platform = sys.argv[1:6]
_storage = open(_path, "r+b")
_regs = open(_path + ".regs", "r+b")  # what outlives a restart
_left_file = open(_path + ".left", "w")  # operations until the power fails, for the next start
_in = sys.stdin.buffer
_out = sys.stdout.buffer
_cut = [int(_left)]


def leave(code):
    import ffi

    end = ffi.open("libc.so.6").func("v", "_exit", "i")
    while True:
        try:
            _left_file.seek(0)
            _left_file.write(str(_cut[0]))
            end(code)
        except KeyboardInterrupt:  # a reset cannot be interrupted
            pass


class Flash:
    """rp2.Flash over the file; an operation under way when the power fails is left half done.

    Files of the unix port have no buffer; `flush` would wait for the disk itself, at each operation.
    """

    def __init__(self, start=0, len=PAGE * PAGES):
        self._start = start
        self._len = len

    def readblocks(self, page, buf, offset=0):
        _storage.seek(self._start + page * PAGE + offset)
        _storage.readinto(buf)

    def _put(self, at, data):
        half = _cut[0] == 0
        _cut[0] -= 1
        _storage.seek(at)
        _storage.write(data[: len(data) // 2] if half else data)
        if half:
            leave(9)

    def writeblocks(self, page, buf, offset=None):
        if offset is None:
            for i in range(len(buf) // PAGE):
                self.ioctl(6, page + i)
        at = self._start + page * PAGE + (offset or 0)
        if at % 256 or len(buf) % 256 or at + len(buf) > PAGE * PAGES:
            sys.stderr.write("misuse of the flash\n")
            leave(70)
        old = bytearray(len(buf))
        _storage.seek(at)
        _storage.readinto(old)
        for i in range(len(buf)):
            old[i] &= buf[i]
        self._put(at, old)

    def ioctl(self, request, argument):
        if request == 4:
            return self._len // PAGE
        if request == 5:
            return PAGE
        if request == 6:
            self._put(self._start + argument * PAGE, b"\xff" * PAGE)
        return 0


class Namespace:
    pass


class Registers:
    """machine.mem32: the scratch registers keep what is written."""

    def _at(self, address):
        return address % 1024 * 4

    def __getitem__(self, address):
        _regs.seek(self._at(address))
        return int.from_bytes(_regs.read(4), "little")

    def __setitem__(self, address, value):
        _regs.seek(self._at(address))
        _regs.write(value.to_bytes(4, "little"))


def shims():
    import micropython as real

    rp2, machine, micropython, system = Namespace(), Namespace(), Namespace(), Namespace()
    rp2.Flash = Flash
    machine.mem32 = Registers()
    machine.unique_id = lambda: b"STAND IN"
    machine.reset = lambda: leave(3)
    for name in dir(real):
        setattr(micropython, name, getattr(real, name))
    micropython.kbd_intr = lambda char: None
    for name, module in (("rp2", rp2), ("machine", machine), ("micropython", micropython)):
        sys.modules[name] = module
    # Only what says where this runs differs; the rest is MicroPython's own.
    for name in ("path", "modules", "print_exception", "exit", "stdout", "stdin", "stderr", "version"):
        setattr(system, name, getattr(sys, name))
    system.platform = _platform
    said = Namespace()
    said.name = sys.implementation.name
    said.version = tuple(map(int, _version.split("."))) + ("",)
    said._machine = "Raspberry Pi Pico with RP2040"
    said._mpy = sys.implementation._mpy
    system.implementation = said
    sys.modules["sys"] = system


def mount():
    """What MicroPython's _boot.py does."""
    device = Flash()
    vfs.umount("/")
    try:
        held = vfs.VfsLfs2(device, progsize=256)
    except OSError:
        vfs.VfsLfs2.mkfs(device, progsize=256)
        held = vfs.VfsLfs2(device, progsize=256)
    vfs.mount(held, "/")


def say(text):
    _out.write(text if isinstance(text, bytes) else text.encode())


def run_file(name):
    try:
        with open(name) as file:
            text = file.read()
    except OSError:
        return
    execute(text)


def execute(text):
    """Run a program in the names of the prompt; what it raised as text."""
    try:
        exec(compile(text, "<stdin>", "exec"), names)
        return None
    except SystemExit:
        leave(3)
    except BaseException as error:
        return error


def told(error):
    if error is not None:
        import io

        text = io.StringIO()
        sys.print_exception(error, text)
        say(text.getvalue())


def raw_paste():
    window = 128
    say(b"R\x01" + window.to_bytes(2, "little"))
    data = bytearray()
    while True:
        byte = _in.read(1)
        if byte == b"\x04":
            say(b"\x04")
            return data.decode()
        data += byte
        if len(data) % window == 0:
            say(b"\x01")


def raw():
    """The raw REPL until Ctrl-B."""
    data = bytearray(b"\x01")
    while True:
        try:
            byte = _in.read(1) if data != b"\x01" else b"\x01"
            text = None
            if byte == b"":
                leave(0)
            elif byte == b"\x01":
                data = bytearray()
                say("raw REPL; CTRL-B to exit\r\n>")
            elif byte == b"\x02":
                return
            elif byte == b"\x05" and _in.read(2) == b"A\x01":
                text = raw_paste()
            elif byte == b"\x04":
                if not data:
                    say("OK\r\nMPY: soft reboot\r\n")
                    leave(4)
                say("OK")
                text = data.decode()
            else:
                data += byte
            if text is not None:
                data = bytearray()
                error = execute(text)
                say(b"\x04")
                told(error)
                say(b"\x04>")
        except KeyboardInterrupt:
            data = bytearray()


def friendly():
    """The prompt that people see, of which only the control characters are there."""
    global _mode
    while True:
        try:
            if _mode == "raw":
                _mode = "boot"
                raw()
            say("\r\nMicroPython stand-in\r\n>>> ")
            while True:
                byte = _in.read(1)
                if byte == b"":
                    leave(0)
                if byte == b"\x01":
                    raw()
                    break
                if byte == b"\x02":
                    break
                if byte == b"\x04":
                    say("\r\nMPY: soft reboot\r\n")
                    leave(3)
        except KeyboardInterrupt:
            pass


names = {"__name__": "__main__"}
shims()
mount()
try:
    run_file("/boot.py")
    if _mode == "boot":
        run_file("/main.py")
except KeyboardInterrupt:
    pass


def prompt():
    """`friendly`, whose own answer to Ctrl-C a second one may interrupt."""
    while True:
        try:
            friendly()
        except KeyboardInterrupt:
            pass


while True:
    try:
        prompt()
    except KeyboardInterrupt:
        pass
