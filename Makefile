# make demo    from nothing to a report          make test    from nothing to tested
# Another Python or place for the environment:   make test PYTHON=python3.13 VENV=/somewhere/else

PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
READY = $(VENV)/ready

QUESTION = scenarios/tiny_epic_kingdoms/nations_4p.toml
ANSWER = out/nations_4p

.PHONY: install demo test check bench golden validate

install: $(READY)

# The build tool comes first, by the same pins, so that nothing is fetched unpinned for the build.
$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("needs Python 3.11 or newer: make PYTHON=...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt hatchling editables
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --no-build-isolation --editable '.[dev]'
	@touch $@

demo: install
	$(BIN)/balance sweep $(QUESTION) --out $(ANSWER)
	$(BIN)/balance report $(ANSWER) --out $(ANSWER).html

test: install
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal

check: install
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: install
	$(BIN)/balance bench tiny-epic-kingdoms

golden: install
	$(BIN)/python tests/golden.py

validate: install
	$(BIN)/python -m pytest -m validate --numprocesses auto
