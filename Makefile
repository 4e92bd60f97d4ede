# The front door. `make` alone says what there is.
.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
MAKEFLAGS += --no-print-directory --no-builtin-rules

PREFIX ?= /usr/local
DESTDIR ?=
# More arguments of Scripts/test.sh, e.g. ARGS='--filter IsolationTests'.
ARGS ?=
# Which sample `make test` takes: a number; by default that of the commits.
SEED ?=
# SETUP=true where the packages come from somewhere else than apt.
SETUP ?= Scripts/setup.sh

export PREFIX DESTDIR SEED

.PHONY: help setup setup-full build check test test-full lint format release install uninstall desktop test-desktop install-desktop uninstall-desktop bench bench-quick bench-table kill-table server-table docs fuzz demo clean

help: ## This text
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1|\2/p' $(firstword $(MAKEFILE_LIST)) | column -t -s '|'

setup: ## Install the system packages that are missing (Debian; needs root or sudo)
	@$(SETUP)

build: setup ## Build everything for debugging, in place
	@swift build --explicit-target-dependency-import-check error

setup-full: # What only `make test-full` needs is large: an office suite, GTK, and a display for them.
	@$(SETUP) run build test full desktop

check: setup ## Build and run the quick tests: decisions, and services in process (2 minutes after the build)
	@Scripts/test.sh check $(ARGS)

test: setup ## Those and the whole system, some of it by sample (15 minutes; SEED=… ARGS='--filter …'), as an ordinary user even for root
	@Scripts/test.sh test $(ARGS)

test-full: setup-full ## Everything: every server, template, fault and kill round (an hour)
	@Scripts/test.sh full $(ARGS)

lint: ## Check formatting and scripts
	@Scripts/lint.sh

format: ## Format the Swift sources
	@Scripts/lint.sh --fix

release: setup ## Build for release, as `make install` wants it
	@Scripts/install.sh build

install: ## Build for release and install below PREFIX=/usr/local (and DESTDIR=); with sudo: after `make release`
	@Scripts/install.sh install

uninstall: ## Remove what `make install` put there
	@Scripts/install.sh uninstall

desktop: ## Build docent-picker and docent-portal, the window (needs GTK: Scripts/desktop-setup.sh)
	@swift build --package-path Desktop --scratch-path .build-desktop

test-desktop: desktop ## Test its decisions, and the window on a display of its own as a person uses it
	@swift test --package-path Desktop --scratch-path .build-desktop
	@Scripts/desktop-test.sh .build-desktop/debug/docent-picker

install-desktop: ## Build the window for release and install it below PREFIX=/usr/local (and DESTDIR=)
	@Scripts/desktop-install.sh install

uninstall-desktop: ## Remove what `make install-desktop` put there
	@Scripts/desktop-install.sh uninstall

bench: setup ## Build for release and measure it (ARGS='--json --only open')
	@Scripts/bench.sh $(ARGS)

bench-quick: setup ## A minute of it: some ratios with small sizes; fails if one is more than twice its goal
	@Scripts/bench.sh --quick $(ARGS)

bench-table: setup ## All of it, into the table of docs/performance.md
	@Scripts/bench.sh --json | Scripts/performance-table.py --record

kill-table: setup ## 200 rounds of kills against real servers, into docs/durability.md (ARGS=20 for fewer)
	@Scripts/kill-table.sh $(ARGS)

server-table: setup ## Ask every WebDAV server of the tests what it can do, into the table of docs/webdav.md
	@Scripts/server-table.sh

docs: setup ## Make the documentation of the SDKs, in .build-docs (ARGS=FileProvider for one)
	@Scripts/docs.sh $(ARGS)

fuzz: setup ## Feed libFuzzer's bytes to the readers of foreign ones (ARGS='60 messages': seconds, targets)
	@Scripts/fuzz.sh $(ARGS)

demo: setup ## A guided tour in directories of its own: nothing of yours is touched
	@Scripts/demo.sh

clean: ## Remove what was built
	@rm -rf .build .build-tests .build-release .build-python .build-servers .build-docs .build-desktop Benchmarks/.build Examples/*/.build
