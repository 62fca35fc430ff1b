# Every target works on a fresh machine with git, make, python3 and python3-venv; see docs/running.md.
PYTHON ?= python3
VENV := .venv/bin
.DEFAULT_GOAL := help
.PHONY: help run demo page setup test one readers e2e check quick bench clients services lock texts

help:  ## list the targets
	@sed -n 's/^\([a-z0-9]*\):.*## /make \1	/p' $(MAKEFILE_LIST) | expand -t 16

run:  ## run the whole site on this computer, with a demo if it is empty (HOST=, PORT=, DEMO=no)
	@$(PYTHON) tools/environment.py base
	@exec $(VENV)/python tools/run.py

demo:  ## run the site with a separate demo in var/demo, recreated each time
	@$(PYTHON) tools/environment.py base
	@rm -rf var/demo
	@CRAWFORD_VAR=var/demo exec $(VENV)/python tools/run.py

page: setup  ## render one page without a server to var/page.html: P=/direct/ [WHO=director@example.org] [SQL=yes]
	@exec $(VENV)/python tools/page.py "$(P)" $(if $(WHO),--as "$(WHO)") $(if $(SQL),--sql)

setup:  ## install the development environment in .venv
	@$(PYTHON) tools/environment.py dev

test: setup  ## run the whole test suite (ARGS= is passed to pytest)
	@exec $(VENV)/python tools/run_tests.py $(ARGS)

one: setup  ## run some tests in one process: T=tests/unit/people, T="-k hall"
	@exec $(VENV)/python -m pytest -q $(T)

readers: setup  ## check every page with axe in light and dark, as visitor, player and director (takes minutes)
	@CRAWFORD_TEST_FULL=1 exec $(VENV)/python -m pytest -q -n0 tests/e2e/test_every_page.py $(ARGS)

e2e: setup  ## run only the browser tests
	@exec $(VENV)/python tools/run_tests.py tests/e2e $(ARGS)

check: setup  ## check format, lint, types, import contracts, migrations, templates, texts and links
	@$(VENV)/python tools/check.py

quick: setup  ## run the fast checks, before every commit
	@$(VENV)/python tools/check.py quick

bench: setup  ## run the benchmarks, each with a reference value
	@exec $(VENV)/python tools/bench.py $(ARGS)

clients: setup  ## install the tools that test API clients (Node and npm packages, in var/clients)
	@$(VENV)/python tools/clients.py

services:  ## run a private PostgreSQL and Redis for development until Ctrl-C
	@exec $(PYTHON) tools/services.py

lock: setup  ## compile requirements/*.in to pinned lists with hashes
	@exec $(VENV)/python tools/lock.py $(ARGS)

texts: setup  ## collect new texts into locale/ and compile the catalogues
	@$(VENV)/python tools/catalogues.py collect
	@$(VENV)/python tools/catalogues.py compile
