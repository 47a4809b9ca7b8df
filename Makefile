# Everything below needs only make, Python 3.11+ with venv, and apt or a MicroPython 1.24+ on PATH.
PYTHON ?= python3
BIN := .venv/bin
JOBS ?= 2
SEED ?= 1

.DEFAULT_GOAL := help
.PHONY: help setup demo test check lint types tables bench soak clean

help:            ## what each target does
	@sed -n 's/^\([a-z-]*\):[^#]*## */\1\t/p' Makefile | expand -t 12

setup: build/.setup build/micropython/micropython-amd64 build/micropython/micropython-i386  ## virtual environment and MicroPython

build/.setup: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@mkdir -p build && touch $@

build/micropython/micropython-%:
	@sh board/virtual/fetch_micropython.sh $* build/micropython

demo: setup      ## deal two shoes on the virtual board, fetch, replay and verify them
	$(BIN)/shoetool demo --out build/demo

test: setup      ## the whole test suite
	$(BIN)/python firmware/generate_tables.py --check
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal

check: lint types test   ## all that CI runs

lint: setup      ## ruff
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup     ## mypy --strict on the host, pyright on firmware and board
	$(BIN)/mypy
	$(BIN)/pyright

tables: setup    ## write the generated protocol tables anew
	$(BIN)/python firmware/generate_tables.py

clean:           ## remove all that make built
	rm -rf build .venv
