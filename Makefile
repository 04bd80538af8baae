# `make run` and `make test` are all one needs; both set up .venv first.
PYTHON ?= python3
PORT ?= 8000
BIN = .venv/bin
CATALOGUE = locale/zh_Hans/LC_MESSAGES/django

.PHONY: run setup packages test check bench

run: setup
	$(BIN)/python manage.py serve --port $(PORT)

setup: .venv/ready $(CATALOGUE).mo

.venv/ready: requirements.txt requirements-dev.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Lifecycle needs Python 3.11 or later: set PYTHON=..."; exit 1; }
	@$(PYTHON) -m venv .venv || { echo "Python's venv module is missing: install the package python3-venv."; exit 1; }
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

# The translations are compiled here, so that nobody needs gettext.
$(CATALOGUE).mo: $(CATALOGUE).po | .venv/ready
	$(BIN)/pybabel --quiet compile --domain django --directory locale

# What the tests drive beside Python: a browser, and the services of a large installation.
packages:
	@sh .ci/packages

check: setup
	$(BIN)/ruff check .
	$(BIN)/lint-imports

test: check packages
	$(BIN)/python -m pytest -q -n auto --dist worksteal

bench: setup
	$(BIN)/python -m benchmarks
