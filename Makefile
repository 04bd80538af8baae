# `make run` and `make test` are all one needs; both set up .venv first.
PYTHON ?= python3
PORT ?= 8000
BIN = .venv/bin

.PHONY: run setup test check bench

run: setup
	@$(BIN)/python manage.py simulate --help
	@echo
	@echo "Try: .venv/bin/python manage.py simulate docs/examples/web.yaml"

setup: .venv/ready

.venv/ready: requirements.txt requirements-dev.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Lifecycle needs Python 3.11 or later; set PYTHON=..."; exit 1; }
	@$(PYTHON) -m venv .venv || { echo "Python's venv module is missing: install the package python3-venv"; exit 1; }
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

check: setup
	$(BIN)/ruff check .
	$(BIN)/lint-imports

test: check
	$(BIN)/python -m pytest -q -n auto

bench: setup
	$(BIN)/python -m benchmarks
