# `make help` lists the targets. Everything runs in .venv, which the first target that needs it creates.

PYTHON ?= python3
ARGS ?=
BIN := .venv/bin
READY := .venv/.ready
# Three processes, file by file: most tests wait for clocks, disks and Java processes. (One process: make test WORKERS=0)
WORKERS ?= 3
# In the order of tests/conftest.py, files with slow tests first.
PYTEST = pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder
COMPILED_TESTS := tests/protocol tests/coordinator tests/runtime tests/storage tests/broker tests/client tests/whatif/test_forecast.py -m 'not interop and not oracle'

# Python keeps its compiled modules: the tests start about a thousand processes. Empty means off, and containers set it.
export PYTHONDONTWRITEBYTECODE :=

# uv does not read pip's configuration, and by itself gives up if a registry is silent for 30 s.
export UV_HTTP_TIMEOUT ?= 180
ifdef PIP_INDEX_URL
export UV_DEFAULT_INDEX ?= $(PIP_INDEX_URL)
endif

.DEFAULT_GOAL := help

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Install Tenure with the extras in the shell variable `extras`. uv is much faster; pip installs if uv cannot, for example
# because pip.conf names another registry.
INSTALL = $(BIN)/uv pip install --quiet --python $(BIN)/python -e ".[$$extras]" || \
	$(BIN)/pip install --quiet --disable-pip-version-check --no-compile -e ".[$$extras]"

# pip builds a wheel of pyspark, and keeps it for users. Most of it are compressed jars; to compress these again would
# take half of the processor time.
$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "tenure needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) -V 2>&1). Try: make PYTHON=python3.11 $(MAKECMDGOALS)"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "Installing into .venv (the first time, pyspark alone is a 456 MB download; pip caches it) ..."
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-compile --config-settings=--build-option=--compression=stored pyspark uv
	@extras=spark,test,release; $(INSTALL)
	@touch $@

setup: $(READY) ## create the virtual environment in .venv, with all dependencies

run: $(READY) ## run the main example: 336,776 flights, with restarts, a crash and a broker restart (ARGS=--help)
	@$(BIN)/python -m examples.run $(ARGS)

test: $(READY) ## run all tests (ARGS='tests/client -k fenced')
	@$(BIN)/$(PYTEST) $(ARGS)

lint: $(READY) ## check format, style, spelling, language, types, imports, generated code and links
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/codespell *.md Makefile pyproject.toml hatch_build.py bench changelog.d compiled docs examples release src tests
	@$(BIN)/pytest -q -n 0 tests/docs/test_language.py
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/python -m tenure.protocol.generate --check
	@$(BIN)/python -m tests.docs.links

check: $(READY) ## run lint and the quick tests
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target lint quick-tests

quick-tests: WORKERS := 4 # With three, a seventh of two cores was idle.
quick-tests: $(READY) # without those of lint
	@$(BIN)/$(PYTEST) -q -m 'not spark and not interop and not oracle and not long' --hypothesis-profile=quick --ignore=tests/docs/test_language.py

docs: .venv/.docs ## build the documentation as a site in .work/site, with search and API reference
	@NO_MKDOCS_2_WARNING=1 PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/mkdocs build
	@echo "To read it: python3 -m http.server -b 127.0.0.1 -d .work/site"

.venv/.docs: $(READY)
	@extras=docs; $(INSTALL)
	@touch $@

reference: $(READY) ## write the generated parts of the reference pages in docs/; review the difference
	@$(BIN)/python -m tests.docs.reference

scenarios: $(READY) ## write the expected traces of the scenario files; review the difference
	@$(BIN)/pytest -q tests/coordinator --rewrite-scenarios

compiled: compiled-wheel ## the wheel with the hot path compiled by mypyc, installed into .work/compiled/venv, and its tests
	@$(MAKE) --no-print-directory compiled-tests

compiled-wheel: $(READY)
	@$(BIN)/python -m compiled

compiled-tests:
	@.work/compiled/venv/bin/python -m $(PYTEST) -q $(COMPILED_TESTS)

# Archives of Java's classes: Java starts many times in the tests, and sooner with them.
archive-of-spark: $(READY) # by the test of `tenure pipeline prepare`
	@$(BIN)/pytest -q -n 0 tests/spark/java/test_class_archive.py

archive-of-kafka: # without packages of Python, so `.ci/run` needs no environment for it
	@$(PYTHON) -c 'from tests.apache_kafka import library; print(library())'

spark-versions: $(READY) # of the matrix, besides the one in .venv: four downloads of 300 to 450 MB, unless pip has them
	@$(BIN)/python -m tests.spark.matrix --quick --install

wheels: $(READY) ## the source archive, the pure wheel and a compiled wheel in dist (ARGS='--python python3.12')
	@$(BIN)/python -m release.wheels $(ARGS)

release: $(READY) ## prepare a release, without the upload (VERSION=X.Y.Z ARGS=--dry-run)
	@$(BIN)/python -m release '$(VERSION)' $(ARGS)

bench: $(READY) ## measure Tenure and Apache Kafka in one run (ARGS=--quick)
	@$(BIN)/python -m bench $(ARGS)

matrix: $(READY) ## test pipelines on Spark 3.5 to 4.3 and on both brokers (ARGS=--quick, ARGS='--spark 4.0 --cell windows')
	@$(BIN)/python -m tests.spark.matrix $(ARGS)

under-load: compiled-wheel ## run the tests on a busy machine, with processes that are suspended at random; needs root
	@$(BIN)/python -m tests.under_load $(ARGS)

handover: $(READY) ## hand a directory over to Apache Kafka and back under load, after clean stops and kill -9
	@TENURE_HANDOVER_ROUNDS=3 $(BIN)/pytest -q -n 0 $(ARGS) tests/interop/test_handover.py

adversary: $(READY) ## attack the broker; measure latency, lost members and memory (ARGS='--quick', ARGS='--only fetch')
	@$(BIN)/python -m tests.adversary $(ARGS)

soak: $(READY) ## simulate clusters in virtual time with random faults (ARGS='--minutes 30')
	@$(BIN)/python -m tests.simulation $(ARGS)
	@$(BIN)/python -m tests.simulation.bank $(ARGS)

soak-fences: $(READY) ## check commit fencing: all states of small groups, and a million commits of zombies in each kind of group
	@$(BIN)/python -m tests.simulation.soak search
	@$(BIN)/python -m tests.simulation.soak search --members 3 --partitions 3 --seconds 600
	@$(BIN)/python -m tests.simulation.soak commits
	@$(BIN)/python -m tests.coordinator.soak

soak-pipelines: $(READY) ## simulate pipelines, then crash real ones at every step, on both brokers and on Spark
	@$(BIN)/python -m tests.simulation.pipelines --minutes 10
	@$(BIN)/python -m tests.pipeline.crashes
	@$(BIN)/python -m tests.pipeline.crashes.random_failures --minutes 5
	@$(BIN)/python -m tests.spark.crashes

soak-bank: $(READY) ## simulate transfers between accounts, then run them with real processes (ARGS='--minutes 5')
	@$(BIN)/python -m tests.simulation.bank --minutes 10
	@$(BIN)/python -m tests.bank $(ARGS)

clean: ## remove all build results and the virtual environment
	rm -rf .venv .work out build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

.PHONY: help setup run test lint check quick-tests docs reference scenarios compiled compiled-wheel compiled-tests archive-of-spark archive-of-kafka spark-versions wheels release bench matrix under-load handover adversary soak soak-fences soak-pipelines soak-bank clean
