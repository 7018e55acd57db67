# Bullpen's build and its gate.
#
#   make build   bin/bullpen and bin/bullpen-sim, static
#   make test    everything the tests need, then all tests under the race detector
#   make check   formatting, vet, staticcheck, arrows, go.mod, and the tests
#   make chaos   the chaos tests for longer (CHAOS_SEEDS=1,2 CHAOS_STEPS=3000 CHAOS_TIME=10m)
#   make bench   benchmarks, then the measurements of ./bench (BENCH=-quick, BENCH='-only a')
#   make fmt     rewrite the sources in the house style
#
# CI=true makes a skipped test a failure and leaves the test cache aside.

SHELL := /bin/bash
.DELETE_ON_ERROR:
.NOTPARALLEL:

GO ?= go

# A checkout that git refuses to read (another owner, no git) is built without
# its revision rather than not at all.
ifneq ($(shell git rev-parse HEAD >/dev/null 2>&1 || echo unreadable),)
export GOFLAGS := $(filter-out -buildvcs%,$(shell $(GO) env GOFLAGS)) -buildvcs=false
endif

# Tools are no part of the program: installed by version into .bin, not in go.mod.
GOFUMPT     := gofumpt@v0.12.0
STATICCHECK := staticcheck@v0.8.2
GOTESTSUM   := gotestsum@v1.13.0

path-gofumpt     := mvdan.cc/gofumpt
path-staticcheck := honnef.co/go/tools/cmd/staticcheck
path-gotestsum   := gotest.tools/gotestsum

# One stamp a tool, version and Go: staticcheck reads only code of a Go not newer
# than the one that built it.
GOVERSION := $(shell $(GO) env GOVERSION)
stamp = .bin/stamp/$(1)-$(GOVERSION)

BINARIES := $(notdir $(wildcard cmd/bullpen cmd/bullpen-sim))

.PHONY: all build race need test check fmt fmt-check vet staticcheck arrows tidy chaos bench clean
all: build

build:
	$(if $(BINARIES),CGO_ENABLED=0 $(GO) build -trimpath -o bin/ $(BINARIES:%=./cmd/%),@echo "Nothing to build: there is no cmd/bullpen yet.")

# The same programs as the tests may want to run them: with the race detector.
race:
	$(if $(BINARIES),$(GO) build -race -o bin/race/ $(BINARIES:%=./cmd/%))

need:
	@scripts/need

test: need $(call stamp,$(GOTESTSUM)) build race
	@scripts/test

check: fmt-check vet staticcheck arrows tidy test

fmt: $(call stamp,$(GOFUMPT))
	.bin/gofumpt -w .

fmt-check: $(call stamp,$(GOFUMPT))
	@files=$$(.bin/gofumpt -l .) || exit 1; \
	if [ -n "$$files" ]; then printf 'Not in gofumpt style (make fmt mends it):\n%s\n' "$$files" >&2; exit 1; fi

vet:
	$(GO) vet ./...

staticcheck: $(call stamp,$(STATICCHECK))
	.bin/staticcheck ./...

arrows:
	$(GO) test -count=1 ./internal/arrows

tidy:
	$(GO) mod tidy -diff

# A failing seed is said with its log, and how to run it again.
CHAOS_SEEDS ?= $(shell seq -s, 11 30)
CHAOS_STEPS ?= 2000
CHAOS_TIME ?= 20m
chaos:
	CHAOS_SEEDS='$(CHAOS_SEEDS)' CHAOS_STEPS='$(CHAOS_STEPS)' CHAOS_TIME='$(CHAOS_TIME)' \
		$(GO) test -count=1 -timeout 60m -v -run '^TestChaos' ./cmd/bullpen | grep -E '^(---|ok|FAIL| +(---|[a-z_]+\.go))'

bench:
	$(GO) test -run '^$$' -bench . -benchmem -p 1 ./...
	$(GO) run ./bench $(BENCH)

clean:
	rm -rf bin

.bin/stamp/%-$(GOVERSION):
	@mkdir -p $(@D)
	GOBIN=$(CURDIR)/.bin CGO_ENABLED=0 $(GO) install $(path-$(firstword $(subst @, ,$*)))@$(lastword $(subst @, ,$*))
	@touch $@
