"""One target under atheris (libFuzzer), guided by coverage: `python guided.py TARGET CORPUS [libFuzzer options]`.

The seeds are read with what earlier runs found in CORPUS; what is found now is added there. An input that breaks a
promise ends the run with exit code 77 and is written to the folder of `-artifact_prefix`.
"""

from __future__ import annotations

import gc
import sys
from pathlib import Path

import atheris

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))


def main() -> None:
    """Fuzz until libFuzzer has had its runs."""
    name, corpus, *options = sys.argv[1:]
    with atheris.instrument_imports(include=["shoe", "shoetool"], enable_loader_override=False):
        import targets
    target = targets.TARGETS[name]
    gc.freeze()  # a request may collect garbage: what is there by now is none
    Path(corpus).mkdir(parents=True, exist_ok=True)
    folders = [corpus, str(HERE / "seeds" / name)]
    atheris.Setup([sys.argv[0], *options, *folders], target, enable_python_coverage=True)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
