# What a developer types. The environment is made once under .venv, and again when pyproject.toml changes.
PYTHON ?= python3
# Tests run in so many processes; many of them wait for a disk or for a program of their own.
WORKERS ?= 2
BIN := .venv/bin
export PIP_DISABLE_PIP_VERSION_CHECK = 1

.PHONY: serve demo test check format bench rows docs clean

serve: .venv/.serving
	$(BIN)/holdfast serve $(SERVE)

demo: .venv/.installed
	$(BIN)/holdfast demo

test: .venv/.tested
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile $(TESTS)

check: .venv/.checked
	$(BIN)/ruff check src tests bench tools
	$(BIN)/ruff format --check src tests bench tools
	$(BIN)/mypy
	$(BIN)/lint-imports

format: .venv/.checked
	$(BIN)/ruff check --fix src tests bench tools
	$(BIN)/ruff format src tests bench tools

bench: .venv/.tested
	$(BIN)/python -m bench $(if $(DATA),--data "$(DATA)")

rows: $(BIN)/python
	@$(BIN)/python tools/rows.py $(if $(REQUIRE),--require "$(REQUIRE)")

docs: .venv/.installed
	$(BIN)/python tools/cli_page.py
	$(BIN)/python tools/access_page.py
	$(BIN)/python tools/profile_page.py

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else \
	  "Holdfast needs Python 3.11 or later; name one: make PYTHON=python3.11")'
	$(PYTHON) -m venv .venv

.venv/.installed: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

.venv/.serving: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[serve]'
	@touch $@ .venv/.installed

.venv/.tested: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[test]'
	@touch $@ .venv/.installed .venv/.serving

.venv/.checked: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[test,check]'
	@touch $@ .venv/.installed .venv/.serving .venv/.tested
