# Targets for users: run, test, bench. For those who change the code: check, generate, size, cross, race, checkptr,
# bench-generic. `make help` prints what each does.

GO          ?= go
# A pinned release of staticcheck, built from the module cache after the first download.
STATICCHECK ?= honnef.co/go/tools/cmd/staticcheck@v0.8.2

# The modules with tests. The generator, a module too, has none: its output is tested.
MODULES   := . conformance cmd
GENERATOR := arch/amd64/gen

# Every GOOS/GOARCH that go vet goes over; it compiles everything and compares assembly with its declarations.
PLATFORMS := linux/amd64 linux/386 linux/arm64 linux/riscv64 linux/s390x linux/arm windows/amd64 darwin/arm64

# What `make cross` does, by the names in .ci/cross; nothing stands for all.
MACHINES :=

# The build tag libcrypto, with which the conformance tests compare with OpenSSL: where a C compiler finds OpenSSL 3's headers.
LIBCRYPTO := $(shell printf '\043include <openssl/evp.h>\n\043if OPENSSL_VERSION_MAJOR < 3\n\043error\n\043endif\n' | \
	$(CC) -E -x c - >/dev/null 2>&1 && echo libcrypto)

# Builds do not depend on the state of the repository.
export GOFLAGS := $(GOFLAGS) -buildvcs=false

# How `make check-timing` measures: 1 in full, short in less than a minute.
TIMING ?= 1

# How long `make fuzz` runs each target.
FUZZTIME ?= 10s

# What `make cover` counts, and how many percent of the statements of each package the tests must reach.
COVERED   := ./lib/... ./arch/generic $(addsuffix /...,$(wildcard ./api))
COVER_MIN := 95

.PHONY: help build run test test-purego race checkptr fuzz bench bench-generic size generate cover \
        check check-format check-vet check-staticcheck check-godoc check-generated check-timing dispatch cross clean

help:
	@echo 'run            build the program, check this machine, seal and open a real file, compare speeds'
	@echo 'test           all tests; against OpenSSL too where its headers are'
	@echo 'bench          tables of speed: every implementation of every mode beside what Go has'
	@echo 'bench-generic  the same for the portable code, built without assembly on both sides'
	@echo 'size           bytes of text of every assembly function'
	@echo 'generate       write the assembly anew from its generator'
	@echo 'check          format, vet on every platform, staticcheck, godoc, generated files'
	@echo 'test-purego    the tests without assembly'
	@echo 'cover          statements that the tests reach, by package, and those that they do not'
	@echo 'race           the tests under the race detector'
	@echo 'checkptr       the tests with checks of unsafe pointers'
	@echo 'fuzz           every fuzz target for FUZZTIME (now $(FUZZTIME)), one after the other'
	@echo 'check-timing   whether time depends on keys and texts, measured and read off the code; TIMING=short is quicker'
	@echo 'dispatch       which assembly function runs for each implementation and operation'
	@echo 'cross          the tests as 386, and emulated on arm64, arm, riscv64, s390x and older CPUs of amd64'

build:
	cd cmd && $(GO) build -o ../bin/lamina ./lamina

run: build
	bin/lamina list
	bin/lamina test
	@set -eu; dir=$$(mktemp -d); trap 'rm -rf "$$dir"' EXIT; \
	file="$$($(GO) env GOROOT)/bin/go"; \
	say() { echo "+ $$*"; "$$@"; }; \
	say bin/lamina keygen -o "$$dir/my.key"; \
	say bin/lamina seal -k "$$dir/my.key" "$$file" -o "$$dir/go.lamina"; \
	say bin/lamina open -k "$$dir/my.key" "$$dir/go.lamina"; \
	say cmp "$$file" "$$dir/go"; \
	echo 'the opened file is the same, byte for byte'; \
	say bin/lamina speed --file "$$file"

test:
	@set -e; for module in $(MODULES); do \
		echo "== $$module"; (cd $$module && $(GO) test -tags "$(LIBCRYPTO)" ./...); \
	done

test-purego:
	@set -e; for module in $(MODULES); do \
		echo "== $$module, purego"; (cd $$module && $(GO) test -tags "purego $(LIBCRYPTO)" ./...); \
	done

# A block of statements comes once for each test binary; it is reached if one of them did.
cover:
	@set -eu; profile=$$(mktemp); trap 'rm -f "$$profile"' EXIT; list="$$($(GO) list $(COVERED) | paste -sd, -)"; \
	$(GO) test -short -coverpkg="$$list" -coverprofile="$$profile" ./... >"$$profile.log" || { cat "$$profile.log"; exit 1; }; \
	rm -f "$$profile.log"; \
	awk 'NR > 1 { size[$$1] = $$2; hits[$$1] += $$3 } \
		END { \
			for (b in size) { \
				p = b; sub(/\/[^\/]*$$/, "", p); all[p] += size[b]; \
				if (hits[b]) got[p] += size[b]; else print "not reached: " b | "sort"; \
			} \
			close("sort"); \
			for (p in all) { \
				percent = 100 * got[p] / all[p]; low += percent < $(COVER_MIN); printf "%6.1f %%  %s\n", percent, p | "sort -k3"; \
			} \
			close("sort -k3"); \
			if (low) print low " packages below $(COVER_MIN) %"; \
			exit low > 0 || NR < 100 \
		}' "$$profile"

race:
	@set -e; for module in $(MODULES); do \
		echo "== $$module, race detector"; (cd $$module && CGO_ENABLED=1 $(GO) test -short -race -tags "$(LIBCRYPTO)" ./...); \
	done

checkptr:
	$(GO) test -short -gcflags=all=-d=checkptr ./...

# Go fuzzes one target at a time, so the targets are asked for first. What its tests list are names, and then, after the
# last of a package, "ok" and the package. Minimizing long inputs would take most of the time, if it were let.
fuzz:
	@set -eu; dir=$$(mktemp -d); trap 'rm -rf "$$dir"' EXIT; \
	for module in $(MODULES); do \
		(cd $$module && $(GO) test -tags "$(LIBCRYPTO)" -list '^Fuzz' ./...) >"$$dir/list" || { cat "$$dir/list"; exit 1; }; \
		awk -v module=$$module '/^Fuzz/ { names[n++] = $$1 } \
			$$1 == "ok" { for (i = 0; i < n; i++) print module, $$2, names[i]; n = 0 }' "$$dir/list" >>"$$dir/targets"; \
	done; \
	while read -r module package target; do \
		run="$(GO) test -tags '$(LIBCRYPTO)' $$package -run '^\$$' -fuzz '^$$target\$$' -fuzztime $(FUZZTIME) -fuzzminimizetime 1s"; \
		if ! (cd $$module && eval "$$run") >"$$dir/out" 2>&1 </dev/null; then \
			cat "$$dir/out"; \
			echo "$$package $$target failed. An input that shows it is now in testdata/fuzz/$$target of that package, if the"; \
			echo "output above says so; go test runs it from now on. To fuzz again: cd $$module && $$run"; \
			exit 1; \
		fi; \
		awk -v name="$$package $$target" '/^fuzz: .* execs: / { sub(/.* execs: /, ""); last = $$1 } \
			END { if (last + 0 == 0) exit 1; printf "%-45s %10d executions\n", name, last }' "$$dir/out" || { \
			cat "$$dir/out"; echo "$$package $$target executed nothing"; exit 1; }; \
	done <"$$dir/targets"; \
	echo "$$(wc -l <"$$dir/targets") targets, $(FUZZTIME) each: no failure"

bench: build
	bin/lamina speed

bench-generic:
	cd cmd && $(GO) run -tags purego ./lamina speed --impl generic

size:
	@cd cmd && $(GO) run ./asmsize lamina/arch/amd64

generate:
	$(GO) generate ./arch/...

check: check-format check-vet check-staticcheck check-godoc check-generated

check-format:
	@files=$$(gofmt -l .); test -z "$$files" || { echo 'not formatted (gofmt -w them):'; echo "$$files"; exit 1; }

check-vet:
	@set -e; for platform in $(PLATFORMS); do \
		echo "vet $$platform"; \
		GOOS=$${platform%/*} GOARCH=$${platform#*/} CGO_ENABLED=0 $(GO) vet ./...; \
		(cd cmd && GOOS=$${platform%/*} GOARCH=$${platform#*/} CGO_ENABLED=0 $(GO) vet ./...); \
	done
	GOARCH=amd64 $(GO) vet -tags purego ./... # elsewhere there is no assembly to leave out
	GOARCH=amd64 $(GO) vet -tags dispatch ./arch/...
	cd cmd && $(GO) vet -tags purego ./...
	cd conformance && $(GO) vet ./... && $(GO) vet -tags "$(LIBCRYPTO)" ./...
	cd $(GENERATOR) && $(GO) vet ./...

check-staticcheck:
	@set -e; for module in $(MODULES) $(GENERATOR); do \
		for tags in '' purego; do \
			echo "staticcheck $$module $$tags"; (cd $$module && $(GO) run $(STATICCHECK) -tags "$$tags $(LIBCRYPTO)" ./...); \
		done; \
	done

# Every exported name has a comment, every package an example, every link of a document a target.
check-godoc:
	$(GO) test -count=1 -run '^(TestGodoc|TestDocumentLinks)$$' .

# Generates in place, because that is what is tested, and compares with what was there: a clean tree is not needed.
check-generated:
	@set -eu; dir=$$(mktemp -d); trap 'rm -rf "$$dir"' EXIT; \
	cp -R arch "$$dir"; $(GO) generate ./arch/...; \
	diff -r "$$dir/arch" arch >"$$dir/diff" || { \
		echo 'the generator gives other files than those that were here; now they are as generated. The first differences:'; \
		head -n 40 "$$dir/diff"; exit 1; }; \
	echo 'generated files are as the generator gives them'

# With this tag every assembly function notes that it ran. Only amd64 has any.
dispatch:
	@if [ "$$($(GO) env GOARCH)" = amd64 ]; then \
		$(GO) test -count=1 -tags dispatch -run '^TestDispatch' ./arch; \
	else \
		echo 'no assembly for this architecture, so nothing is dispatched'; \
	fi

check-timing:
	cd conformance && LAMINA_CHECK_TIMING=$(TIMING) $(GO) test -count=1 -v -timeout 30m ./timing

cross:
	.ci/cross $(MACHINES)

clean:
	rm -rf bin
