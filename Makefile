# Two commands do everything on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
OUT ?= runs/demo

.PHONY: demo test lint types app clean lock

$(STAMP): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $@

demo: $(STAMP)
	$(BIN)/robustocr run sample --suite quick --limit 24 --out $(OUT)

test: lint types
	$(BIN)/python -m pytest

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy

app: $(STAMP)
	$(BIN)/robustocr app

# Resolve the ranges of pyproject.toml anew and write the versions down.
lock:
	rm -rf build/lock
	$(PYTHON) -m venv build/lock
	build/lock/bin/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	build/lock/bin/python -m pip freeze --exclude-editable --exclude pip --exclude setuptools > constraints.txt

clean:
	rm -rf $(VENV) build dist runs .pytest_cache .mypy_cache .ruff_cache
