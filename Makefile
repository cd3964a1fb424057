# Every target sets up what it needs in .venv; each works alone on a fresh clone.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help demo test lint format typecheck contracts bench docs-check clean

help: ## Print this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "make %-12s %s\n", $$1, $$2 }'

$(INSTALLED): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

demo: $(INSTALLED) ## Compare two strategies over a million games; results and plots in demo/
	$(BIN)/kok-sim compare greedy cautious -n 1e6 --out demo

test: $(INSTALLED) ## Run all tests
	$(BIN)/python -m pytest -n 2

lint: $(INSTALLED) ## Check style and layout of the code (ruff)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(INSTALLED) ## Lay out the code (ruff)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

typecheck: $(INSTALLED) ## Check types (mypy, strict)
	$(BIN)/mypy

contracts: $(INSTALLED) ## Check that imports run one way (import-linter)
	$(BIN)/lint-imports

bench: $(INSTALLED) ## Measure games per second
	$(BIN)/python -m tests.bench

docs-check: $(INSTALLED) ## Run the commands and examples of the documentation
	$(BIN)/python -m tests.docs

clean: ## Remove all that these commands made
	rm -rf $(VENV) demo build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
