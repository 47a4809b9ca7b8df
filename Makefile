# Everything below needs only make, Python 3.11+ with venv, and apt or a MicroPython 1.24+ on PATH.
PYTHON ?= python3
BIN := .venv/bin
JOBS ?= 2
SEED ?= 1

.DEFAULT_GOAL := help
.PHONY: help setup demo test check lint types tables bench soak clean

help:            ## what each target does
	@sed -n 's/^\([a-z-]*\):[^#]*## */\1\t/p' Makefile | expand -t 12

setup: build/.developer build/micropython/micropython-amd64 build/micropython/micropython-i386  ## virtual environment, MicroPython, compiled firmware
	@$(BIN)/python firmware/build.py

INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

# What the tool and the virtual board need; the developer's packages come on top, so that the demo need not wait for them.
build/.user: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(INSTALL) -e '.[board]'
	@mkdir -p build && touch $@

build/.developer: build/.user
	$(INSTALL) -e '.[dev]'
	@touch $@

build/micropython/micropython-%:
	@sh board/virtual/fetch_micropython.sh $* build/micropython

demo: build/.user build/micropython/micropython-amd64  ## deal two shoes on the virtual board, fetch, replay and verify them
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

bench: setup     ## short measurements: reading speed, dealing rate, link, replay and verify, flash of a shoe
	$(BIN)/python tests/bench/read_head_speed.py
	build/micropython/micropython-amd64 -X heapsize=190k tests/bench/read_head_speed.py
	$(BIN)/python tests/bench/dealing_rate.py --seed $(SEED) --interpreter amd64 i386
	$(BIN)/python tests/bench/lossy_line.py --records 20000 --loss 0.05 --seed $(SEED)
	$(BIN)/python tests/bench/replay_verify.py --records 100000
	$(BIN)/python tests/bench/journal_room.py

# The long campaigns; those of reading go on where they were stopped.
soak: setup      ## the full campaigns: 3,000,000 passes twice, 10,200,000 frames, 10,000 power cuts, dealing fuzz
	$(BIN)/python tests/bench/power_cut_campaign.py --cuts 10000 --first-seed $(SEED)
	$(BIN)/python tests/bench/firmware_power_cuts.py --cuts 400 --seed $(SEED)
	$(BIN)/python tests/bench/dealing_fuzz.py 200 2000 $(SEED)
	$(BIN)/python tests/bench/frame_campaign.py --frames 10000000 --codec host --seed $(SEED) --jobs $(JOBS)
	$(BIN)/python tests/bench/frame_campaign.py --frames 200000 --codec device --seed $(SEED) --jobs $(JOBS)
	$(BIN)/python tests/bench/reading_campaign.py --passes 3000000 --model harsh --seed $(SEED) --jobs $(JOBS) --state build/harsh.jsonl
	$(BIN)/python tests/bench/reading_campaign.py --passes 3000000 --model nominal --seed $(SEED) --jobs $(JOBS) --state build/nominal.jsonl

clean:           ## remove all that make built
	rm -rf build .venv
