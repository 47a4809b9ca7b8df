# Everything below needs only make, Python 3.11+ with venv, and apt or a MicroPython 1.24+ on PATH.
PYTHON ?= python3
BIN := .venv/bin
JOBS ?= 2
SEED ?= 1
SAMPLE ?= 500

.DEFAULT_GOAL := help
.PHONY: help setup demo browser tshark kicad pictures test check lint types tables coverage-matrix wiring lock sbom compiled-wheel bench bench-rp2040 goldens goldens-check hil flash image mutants soak clean

help:            ## what each target does
	@sed -n 's/^\([a-z0-9-]*\):[^#]*## */\1\t/p' Makefile | expand -t 12

setup: build/.developer build/micropython/micropython-amd64 build/micropython/micropython-i386  ## virtual environment, MicroPython, compiled firmware
	@$(BIN)/python firmware/tools/build.py

LOCKS := host_tools/locked
# Each package has its version and the hashes of its files in a lock. The project itself has none, so it comes after
# them, and is built with the locked build requirements.
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check

# What the tool and the virtual board need; the developer's packages come on top, so that the demo need not wait for them.
build/.user: pyproject.toml $(LOCKS)/user.txt
	$(PYTHON) -m venv .venv
	$(INSTALL) --require-hashes -r $(LOCKS)/user.txt
	$(INSTALL) --no-deps --no-build-isolation -e .
	@mkdir -p build && touch $@

build/.developer: build/.user $(LOCKS)/developer.txt
	$(INSTALL) --require-hashes -r $(LOCKS)/developer.txt
	@touch $@

# The parsers' fuzzer and the mutation tester are for the long campaigns alone.
build/.fuzzer: build/.developer $(LOCKS)/fuzzer.txt
	$(INSTALL) --require-hashes -r $(LOCKS)/fuzzer.txt
	@touch $@

build/micropython/micropython-%:
	@sh board/virtual/fetch_micropython.sh $* build/micropython

demo: build/.user build/micropython/micropython-amd64  ## deal two shoes on the virtual board, fetch, replay and verify them
	$(BIN)/shoetool demo --out build/demo

# Two workers more than JOBS: tests wait for lines and boards a quarter of their time. Hundreds of processes import the
# tool, so what Python compiles of it is kept, whatever the environment says.
test: setup      ## the whole test suite
	$(BIN)/python firmware/tools/generate_tables.py --check
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n $$(( $(JOBS) + 2 )) --dist worksteal

browser:         ## Debian's Chromium, as root: without a browser the tests of pages are skipped
	apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium

tshark:          ## Debian's tshark, as root: without it the test of the dissector with Wireshark is skipped
	apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends tshark

kicad:           ## Debian's KiCad with a screen and a keyboard for it, as root: without it two tests of the netlist are skipped
	apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends kicad kicad-footprints xvfb xdotool

pictures: setup  ## host_tools/pictures: the pictures of the documents, from the real screens and pages; it takes a browser
	$(BIN)/python tests/browser/pictures.py

# An emulated shoe is booted once a worker. PORT and STIMULUS choose a real Pico instead.
hil: setup       ## hardware in the loop: RP2_UF2=<UF2 or version> for an emulated RP2040, PORT= and STIMULUS= for a real Pico
	HIL_PORT=$(PORT) HIL_STIMULUS=$(STIMULUS) $(BIN)/python -m pytest tests/hil -n $(if $(PORT),0,$(JOBS)) --dist worksteal

check: lint types test   ## all that CI runs

lint: setup      ## ruff; every clause implemented and tested, or with the reason why not
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python tests/coverage/matrix.py --check

types: setup     ## mypy --strict on the host, pyright on firmware and board
	$(BIN)/mypy
	$(BIN)/pyright

tables: setup    ## write the generated tables of the protocol and of the games anew
	$(BIN)/python firmware/tools/generate_tables.py

wiring: setup    ## board/wiring/WIRING.md, wiring.svg and shoe.net: pins, parts, budgets, netlist, checked against pins.py
	PYTHONPATH=firmware:board $(BIN)/python -m wiring

coverage-matrix: setup  ## host_tools/COVERAGE.md: each clause, what implements it, which test
	$(BIN)/python tests/coverage/matrix.py

# The lowest versions stand in pyproject.toml; UPGRADE=--upgrade takes the newest there are.
LOCK = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --custom-compile-command "make lock" $(UPGRADE) pyproject.toml
lock: build/.developer  ## host_tools/locked: the version and hashes of each package (UPGRADE=--upgrade: the newest)
	$(LOCK) --extra dev --extra fuzz -o $(LOCKS)/fuzzer.txt
	$(LOCK) --extra dev -c $(LOCKS)/fuzzer.txt -o $(LOCKS)/developer.txt
	$(LOCK) --extra sim --extra print --extra report --extra monitor --extra serve --extra flash --extra plot --extra casino --extra cluster --extra log --extra audit --extra board -c $(LOCKS)/fuzzer.txt -o $(LOCKS)/user.txt

# An environment of its own, with nothing of the developer's in it.
sbom: build/.developer  ## build/sbom.json: what an installed shoetool is made of, as CycloneDX
	$(PYTHON) -m venv --clear --without-pip build/sbom
	$(BIN)/python -m pip --python build/sbom/bin/python install --quiet --disable-pip-version-check --require-hashes -r $(LOCKS)/user.txt
	$(BIN)/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible -o build/sbom.json build/sbom/bin/python
	rm -rf build/sbom
	$(BIN)/python tests/host/locks.py build/sbom.json

compiled-wheel: setup  ## build/dist: a wheel for this machine, compiled in part: many histories in less time
	$(BIN)/python firmware/tools/compiled_wheel.py build/dist

bench: setup     ## short measurements: reading speed, dealing rate, link, replay and verify, flash of a shoe, settling
	$(BIN)/python tests/bench/read_head_speed.py
	build/micropython/micropython-amd64 -X heapsize=190k tests/bench/read_head_speed.py
	$(BIN)/python tests/bench/dealing_rate.py --seed $(SEED) --interpreter amd64 i386
	$(BIN)/python tests/bench/lossy_line.py --records 20000 --loss 0.05 --seed $(SEED)
	$(BIN)/python tests/bench/replay_verify.py --records 100000
	$(BIN)/python tests/bench/verify_signatures.py
	$(BIN)/python tests/bench/verify_table.py --records 100000
	$(BIN)/python tests/bench/casino_month.py build/month --jobs $(JOBS) --seed $(SEED)
	$(BIN)/python tests/bench/archive_find.py build/archive --jobs $(JOBS) --seed $(SEED)
	$(BIN)/python tests/bench/journal_room.py
	$(BIN)/python tests/bench/play_rounds.py --rounds 2000 --seed $(SEED)
	$(BIN)/python tests/bench/settle_rounds.py --rounds 20000 --seed $(SEED)
	time $(BIN)/shoetool odds --all > /dev/null
	$(BIN)/python tests/bench/settle_rounds.py --rounds 20000 --chapter 633c --wagers 10 --seed $(SEED)
	$(BIN)/python tests/bench/report_page.py
	$(BIN)/python tests/bench/serve_rate.py

flash: build/.user  ## put the firmware onto the only board, or that at PORT=...; CONFIG=FILE.toml, BOARD=FILE.json: its settings
	@$(BIN)/shoetool flash $(if $(PORT),'$(PORT)') $(if $(CONFIG),--config '$(CONFIG)') $(if $(BOARD),--board '$(BOARD)') $(FLASH)

image: build/.user  ## MICROPYTHON=DIR: the frozen image for a table, with MicroPython's own tools from that checkout
	@$(if $(MICROPYTHON),,$(error name a checkout of MicroPython 1.24 or newer: make image MICROPYTHON=DIR))
	@$(BIN)/python firmware/tools/build_image.py '$(MICROPYTHON)'

bench-rp2040: setup  ## the figures on an emulated RP2040, in simulated time: RP2_UF2=<UF2 or version>
	$(BIN)/python tests/bench/rp2040_figures.py --seed $(SEED) --jobs $(JOBS)

# GOLDENS=--group=plants for one group, GOLDENS=--lines=0 for whole differences; tests/goldens/README.md tells the rest.
goldens-check: setup  ## what verify, replay, settle, table, monitor and paytables say, over a corpus, compared with what is frozen
	$(BIN)/python tests/goldens/goldens.py --check $(GOLDENS)

goldens: setup   ## freeze it anew; the commit says which golden changed, and why
	$(BIN)/python tests/goldens/goldens.py $(GOLDENS)

# The long campaigns; those of reading go on where they were stopped.
mutants: setup build/.fuzzer  ## small faults planted in dealing, reading, verify and rules: how many the tests find (SAMPLE=500 SEED=1)
	$(BIN)/python tests/mutants/run.py --sample $(SAMPLE) --seed $(SEED)

soak: setup build/.fuzzer  ## the full campaigns: 3,000,000 passes twice, 10,200,000 frames, 10,000 power cuts, dealing and parser fuzz
	$(BIN)/python tests/goldens/goldens.py --check
	$(BIN)/python tests/bench/power_cut_campaign.py --cuts 10000 --first-seed $(SEED)
	$(BIN)/python tests/bench/power_cut_campaign.py --cuts 10000 --first-seed $(SEED) --flash pico
	$(BIN)/python tests/bench/firmware_power_cuts.py --cuts 400 --seed $(SEED)
	$(BIN)/python tests/bench/signing_power_cuts.py --cuts 10000 --seed $(SEED)
	$(BIN)/python tests/bench/dealing_fuzz.py 200 2000 $(SEED)
	$(BIN)/python tests/bench/frame_campaign.py --frames 10000000 --codec host --seed $(SEED) --jobs $(JOBS)
	$(BIN)/python tests/bench/frame_campaign.py --frames 200000 --codec device --seed $(SEED) --jobs $(JOBS)
	SOAK=1 $(BIN)/python -m pytest tests/host tests/regulation tests/contract tests/pico/test_rig_cache.py -n $(JOBS) --hypothesis-profile=soak --hypothesis-seed=$(SEED)
	ALL_FACES=1 SIMULATE_SEEDS=300 FLASH_CUTS=40 $(BIN)/python -m pytest tests/e2e/test_sealed_observables.py \
	  tests/host/test_simulate_campaign.py tests/host/test_verify_dealing.py tests/host/test_flash.py -n $(JOBS)
	SOAK=1 WORDS=64 EVERY_CALL=1 $(BIN)/python -m pytest tests/e2e tests/host/test_firmware_on_micropython.py -n $(JOBS)
	UPDATE_CUTS=1000 $(BIN)/python -m pytest tests/pico/test_start.py -n $(JOBS)
	$(BIN)/python tests/fuzz/soak.py --executions 1000000 --seed $(SEED) --jobs $(JOBS)
	$(if $(RP2_UF2),$(BIN)/python tests/bench/face_transcripts.py --scenes shoe reader hand burn --hosts listens polls fetches asks --seed $(SEED) --jobs $(JOBS))
	$(BIN)/python tests/bench/reading_campaign.py --passes 3000000 --model harsh --seed $(SEED) --jobs $(JOBS) --state build/harsh.jsonl
	$(BIN)/python tests/bench/reading_campaign.py --passes 3000000 --model nominal --seed $(SEED) --jobs $(JOBS) --state build/nominal.jsonl
	$(BIN)/python tests/bench/reading_campaign.py --classes --passes 20000 --seed $(SEED) --jobs $(JOBS) --state build/classes.jsonl
	$(BIN)/python tests/bench/audit_power.py --seed $(SEED)
	$(BIN)/python tests/bench/odds_campaign.py --rounds 1000000 --seed $(SEED)
	$(BIN)/python tests/bench/main_campaign.py --rounds 200000 --seed $(SEED)
	WHOLE_GAMES=1 $(BIN)/python -m pytest tests/regulation/test_odds_main.py tests/regulation/test_odds_no_hole.py tests/regulation/test_odds_tucked.py
	$(BIN)/python tests/bench/odds_press.py
	$(BIN)/python tests/bench/odds_switch.py
	$(BIN)/python tests/bench/odds_switch.py --gains
	$(BIN)/python tests/bench/edge_adversary.py --streams 200000 --seed $(SEED) --jobs $(JOBS) --save build/wrong

clean:           ## remove all that make built
	rm -rf build .venv
