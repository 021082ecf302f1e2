# SPDX-License-Identifier: MIT
# Short names for what one does most; CMake and its presets do the work (see CMakePresets.json).

PREFIX ?= /usr/local
DESTDIR ?=

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' Makefile

setup: ## install the Debian packages that are missing (test and demo do it by themselves)
	@scripts/setup.sh build test
	@scripts/setup.sh recast || echo 'Goes on without Recast.'
	@scripts/setup.sh viewer || echo 'Goes on without the viewer.'

build: ## build the release; the command is then build/octant
	@scripts/setup.sh --check build
	@scripts/build.sh release octant octant_cli
	@ln -sfn release/octant build/octant

check: ## what must hold before a commit, in seconds: format, module order, quick tests
	@scripts/check.sh

tidy: ## look for suspect code with clang-tidy (test does it too)
	@scripts/setup.sh --check build
	@scripts/tidy.sh

test: setup ## build and run every test in every way; ends with the counts
	@scripts/test.sh

soak: setup ## what takes too long for test: the analyzer, attacks, valgrind, sanitizers, levels, fuzzers (SOAK_SECONDS each)
	@scripts/soak.sh

coverage: setup ## run the tests and print the share of branches that they take
	@scripts/coverage.sh

portable: setup ## build and run the golden tests for other machines, in emulators
	@scripts/setup.sh portable || echo 'Goes on with what is here.'
	@scripts/portable.sh

pictures: build ## take pictures of the viewer on real runs, into build/pictures
	@scripts/setup.sh viewer
	@mkdir -p build/pictures
	@PICTURES="$(CURDIR)/build/pictures" tests/cli/view_browser.sh build/octant .

demo: ## show what the command can do, in under a minute
	@scripts/setup.sh build
	@$(MAKE) --no-print-directory build
	@scripts/demo.sh

bench: build ## run the measurements in full; also written to build/bench.csv
	@scripts/bench.sh

format: ## format all sources
	@scripts/format.sh

hooks: ## let git check the messages of your commits
	@hooks=$$(git rev-parse --git-path hooks) && mkdir -p "$$hooks" && \
		cp scripts/commit-msg "$$hooks/commit-msg" && echo "installed: $$hooks/commit-msg"

install: build ## install under PREFIX (default /usr/local), staged in DESTDIR if given
	@DESTDIR='$(DESTDIR)' cmake --install build/release --prefix '$(PREFIX)'

clean: ## remove everything that was built
	rm -rf build

.PHONY: help setup build check tidy test soak coverage portable pictures demo bench format hooks install clean
