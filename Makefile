# Every word works on a fresh machine with git, make, python3 and python3-venv; docs/running.md explains them.
PYTHON ?= python3
VENV := .venv/bin
.DEFAULT_GOAL := help
.PHONY: help run demo page setup test one readers e2e check quick bench clients services lock texts

help:  ## this list
	@sed -n 's/^\([a-z0-9]*\):.*## /make \1	/p' $(MAKEFILE_LIST) | expand -t 16

run:  ## the whole site on this computer, with a demo when it is empty (HOST=, PORT=, DEMO=no)
	@$(PYTHON) tools/environment.py base
	@exec $(VENV)/python tools/run.py

demo:  ## the same with a new demo of its own under var/demo, made again each time
	@$(PYTHON) tools/environment.py base
	@rm -rf var/demo
	@CRAWFORD_VAR=var/demo exec $(VENV)/python tools/run.py

page: setup  ## one page without a server: P=/direct/ [WHO=director@example.org] [SQL=yes]; its HTML goes to var/page.html
	@exec $(VENV)/python tools/page.py "$(P)" $(if $(WHO),--as "$(WHO)") $(if $(SQL),--sql)

setup:  ## the environment for development, in .venv
	@$(PYTHON) tools/environment.py dev

test: setup  ## the whole test suite (ARGS= goes to pytest)
	@exec $(VENV)/python tools/run_tests.py $(ARGS)

one: setup  ## one test, or a few, in one process: T=tests/unit/people, T="-k hall"
	@exec $(VENV)/python -m pytest -q $(T)

readers: setup  ## axe on every page in light and dark, as a visitor, a player and a director: minutes
	@CRAWFORD_TEST_FULL=1 exec $(VENV)/python -m pytest -q -n0 tests/e2e/test_every_page.py $(ARGS)

e2e: setup  ## the journeys in a real browser alone
	@exec $(VENV)/python tools/run_tests.py tests/e2e $(ARGS)

check: setup  ## format, lint, types, import contracts, migrations, templates, catalogues, links
	@$(VENV)/python tools/check.py

quick: setup  ## the part of make check that takes seconds: for every commit
	@$(VENV)/python tools/check.py quick

bench: setup  ## the benchmarks, each figure beside its yardstick
	@exec $(VENV)/python tools/bench.py $(ARGS)

clients: setup  ## what makes and tries clients of the API for its tests (Node and npm packages, under var/clients)
	@$(VENV)/python tools/clients.py

services:  ## private PostgreSQL and Redis for development under var/, until Ctrl-C
	@exec $(PYTHON) tools/services.py

lock: setup  ## compile requirements/*.in to pinned lists with hashes
	@exec $(VENV)/python tools/lock.py $(ARGS)

texts: setup  ## collect new texts into locale/ and compile the catalogues
	@$(VENV)/python tools/catalogues.py collect
	@$(VENV)/python tools/catalogues.py compile
