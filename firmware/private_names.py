"""Give the private names of a program names that MicroPython has in its ROM: the same behaviour, less RAM.

A module read from a file brings every name in it into RAM, for good: its text, and a place in tables that double each
time they are full. So private attributes, methods, functions and globals (`_name`) get other names when modules are
compiled together, alike in all of them. No name that MicroPython itself looks up is among those given, and none that
the program uses anywhere. Constants by `const` keep their names, which no compiled module has, and so does every
name that stands in a string of the program. Within a module each new name stands for one old name; names that are only
ever globals or locals of one module have the same new names as other modules' attributes.

`survey` looks at all modules that are compiled together, `rename` rewrites one of them, `table` says what it did.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count

PRIVATE = re.compile(r"_[A-Za-z]\w*[A-Za-z0-9]$|_[A-Za-z]$")
WORD = re.compile(r"\w+")
# Of these a compiled module holds a number, not the text, which a start would have to look for: the fixed names of the
# format, of no meaning to MicroPython as an attribute of a program's object or as a global.
FIXED = """
    abs bytecode callable chr classmethod dir divmod eval exec extend from_bytes hash isalpha isdigit islower isspace
    issubclass isupper lower lstrip map ord popitem pow remove replace repr reverse rfind rsplit rstrip
    setdefault sort str strip to_bytes upper zip
"""
# In the ROM of an RP2040's MicroPython, most in that of every one, of no meaning to it in the same places.
ROM = """
    a2b_base64 abs_tol aclose acos acosh addr addrsize aes ahb_err align alt and_ asin asinh asm_pio_encode asr
    atan atan2 atanh awritestr b2a_base64 backlog bitstream bl blit bootloader bootsel_button bound_method bswap
    bx bytearray_at byteorder bytes_at call_exception_handler ceil center choice closure clz cmath cmp complex
    copysign coro cos cosh cpsid cpsie cpu crc8 cts cur_task decrypt deepsleep deflate degrees delattr deleter
    desc_cfg desc_dev desc_strs dest dht_readinto dict_keys dict_values dict_view difference difference_update
    discard doc drain dump dumps dupterm dupterm_notify duty_ns ellipse encrypt endswith enumerate ep_max erase
    erf erfc errorcode exc execfile exp expm1 fabs factorial fill fill_rect filter firstbit flags floor flow
    fmod format framebuf frexp fromhex fromkeys frozenset future gamma generator get_extra_info get_ident
    getaddrinfo getcwd getrandbits getter globals gmtime hasattr heapify heappop heappush heapq hex hexlify
    hline host ibuf idle idx ilistdir imag indices input insert intersection intersection_update invert ipoll
    isclose isdisjoint isenabled isfinite isinf isnan issubset issuperset itf_max jmp_pin kbd_intr keepends
    ldexp ldr ldrb ldrex ldrh lgamma libc_ver lightsleep line locals localtime log10 log2 lookahead lsl lsr
    main_task maxsize md5 mem mem16 mem8 mem_addrsize memaddr mkfs mktime modf modify movt movw movwt mrs mtime
    namedtuple nan new_event_loop newline nodename nop oct onewire opcode open_itf_cb opt_level out_base out_buf
    out_shiftdir parity partition peername ph_key phase pi pixel platform polar polarity poller poly progsize
    property ps1 ps2 pull_thresh push_thresh queue_read queue_write radians randint randrange rbit readbit
    readexactly readlines readonly readsize real rect rel_tol reset_cb reversed rindex rmdir round rpartition
    rts runq_len scl scroll sda sdiv seed separators server_side set_base setblocking setsockopt setter sgen
    sha1 sideset_base sin single sinh sizeof sniff_en soft_reset sorted span splitlines sqrt src ssl stack_size
    stack_use stall start_server state staticmethod statvfs str_max strb stream_awrite strex strh sub
    submit_xfer sum symmetric_difference symmetric_difference_update sync tan tanh tau tick_hz ticks_cpu time_ns
    time_pulse_us timeout_char toggle trunc tx_fifo txdone udiv umount unhexlify uniform union unregister
    urandom usys vcmp vcvt_f32_s32 vcvt_s32_f32 version_info vldr vline vmov vmrs vneg vsqrt vstr wait_closed
    wait_for wait_for_ms wait_io_event waiter waitq_len wbits wfi wrap_socket writebit writebyte writeto
    writeto_mem ws x xfer_cb y z
"""


@lru_cache(maxsize=512)  # a module is read and then rewritten, and to take it apart is most of the time of a build
def _names(source: str) -> tuple[tuple[str, int, int, int], ...]:
    """Each name with where it stands: line, first column and the one behind it, all from 0."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return tuple((t.string, t.start[0] - 1, t.start[1], t.end[1]) for t in tokens if t.type == tokenize.NAME)


@dataclass(slots=True)
class Found:
    """What the sources of a program say about its names."""

    tokens: set[str] = field(default_factory=set)
    defined: set[str] = field(default_factory=set)
    fixed: set[str] = field(default_factory=set)  # constants, and what strings name
    shared: set[str] = field(default_factory=set)  # looked up in objects, classes or other modules

    def read(self, source: str, owner: bool) -> None:
        """Add one module; what is defined in one that is no `owner` is left alone."""
        tree = ast.parse(source)
        self.tokens |= {name for name, _, _, _ in _names(source)}
        said = set()  # docstrings: prose, whatever it names
        for node in ast.walk(tree):
            match node:
                case ast.Expr(value=ast.Constant() as text):
                    said.add(text)
                case ast.Constant(value=str() as text) if node not in said:
                    self.fixed |= set(WORD.findall(text))
                case ast.Constant(value=bytes() as data):
                    self.fixed |= set(WORD.findall(data.decode("latin-1")))
                case ast.JoinedStr():  # no tokens of their own before Python 3.12
                    self.fixed |= {name.id for name in ast.walk(node) if isinstance(name, ast.Name)}
                    self.fixed |= {name.attr for name in ast.walk(node) if isinstance(name, ast.Attribute)}
                case ast.Assign(targets=[ast.Name(name)], value=ast.Call(func=ast.Name("const"))):
                    self.fixed.add(name)
                case ast.Attribute(attr=name):
                    self.shared.add(name)
                case ast.keyword(arg=str(name)):
                    self.shared.add(name)
                case ast.alias(name=name):
                    self.shared |= {*name.split("."), node.asname or name}
                case ast.ClassDef():
                    self.shared |= set(_in_class(node))
                case _:
                    pass
            if owner:
                self.defined |= set(_defines(node))


def _in_class(node: ast.AST) -> Iterator[str]:
    """Names that are bound or looked up in a class's own scope; those of its decorators and bases do no harm."""
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
                for part in (*child.decorator_list, getattr(child, "args", None), getattr(child, "returns", None)):
                    if part is not None:
                        yield from _in_class(part)
            case ast.Name(id=name):
                yield name
            case _:
                yield from _in_class(child)


def _defines(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()) | ast.arg(arg=name):
            yield name
        case _:
            pass


def survey(sources: dict[str, str], owners: set[str] | None = None) -> dict[str, dict[str, str]]:
    """New name by old name for each of `sources` (dotted module name -> text): of what `owners`, or all, define."""
    found = Found()
    for name, source in sources.items():
        found.read(source, owners is None or name in owners)
    taken = found.tokens | found.fixed
    free = [name for name in WORD.findall(FIXED) if name not in taken]
    free += sorted((name for name in WORD.findall(ROM) if name not in taken), key=lambda name: (len(name), name))
    words = {name: set(WORD.findall(source)) for name, source in sources.items()}
    private = sorted(name for name in found.defined - found.fixed if PRIVATE.match(name))
    private.sort(key=lambda name: -sum(name in here for here in words.values()))
    others = (name for name in map("_{}".format, count()) if name not in taken)  # when the ROM's are used up
    given = [*free, *(next(others) for _ in private)]
    everywhere = dict(zip([name for name in private if name in found.shared], given, strict=False))
    plans = {}
    for name, here in words.items():
        plan = {old: new for old, new in everywhere.items() if old in here}
        own = [old for old in private if old in here and old not in everywhere]
        left = [new for new in given if new not in plan.values()]
        plans[name] = plan | dict(zip(own, left, strict=False))
    return plans


def rename(source: str, plan: dict[str, str]) -> str:
    """`source` with the names of `plan`, one of `survey`'s, in place; lines stay where they are."""
    lines = source.splitlines(keepends=True)
    for name, row, start, end in reversed(_names(source)):
        if name in plan:
            lines[row] = lines[row][:start] + plan[name] + lines[row][end:]
    return "".join(lines)


def table(plans: dict[str, dict[str, str]]) -> dict[str, dict[str, str]]:
    """Old name by new name for each module: for reading a traceback."""
    return {name: {new: old for old, new in sorted(plan.items())} for name, plan in plans.items()}
