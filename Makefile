# `make demo` and `make test` do all their own set-up; a second run does none. `make help` lists the targets.
export PATH := $(PATH):$(HOME)/.cargo/bin:/usr/local/go/bin
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)
IN_VENV := .venv/bin
BENCH := cargo run --quiet --release --locked --manifest-path bench/Cargo.toml --
CONSTANT_TIME := cargo run --quiet --release --locked --manifest-path constant-time/Cargo.toml
LOCK := $(IN_VENV)/pip-compile --quiet --upgrade --generate-hashes --strip-extras --no-annotate --no-header \
	--no-emit-index-url --no-emit-find-links --no-emit-trusted-host

# A server that the tests of object stores need; Go's own sums check what is downloaded.
SERVER_OF_S3 := github.com/versity/versitygw/cmd/versitygw@v1.8.0

.DEFAULT_GOAL := help
.PHONY: help packages setup demo test test-full mutants mutants-python ports audit constant-time proofs fuzz many-documents bench \
	bench-libraries tune synth report docs dist wheels sbom install-c uninstall-c install-openssl uninstall-openssl fmt lint \
	lock

# Of fuzz: every program in its folder, and how long all run. Of many-documents: how many.
FUZZ_TARGETS := $(notdir $(basename $(wildcard fuzz/fuzz_targets/*.rs)))
MINUTES ?= 10
# The program in C is one more.
FUZZ_SECONDS = $(shell echo $$((60 * $(MINUTES) / ($(words $(FUZZ_TARGETS)) + 1))))
COUNT ?= 2000000

# Of install-c: where to, and how the library is built.
PREFIX ?= /usr/local
CARGO_PROFILE ?= release
CAPI := crates/monpro-capi
TARGET_FOLDER = $(or $(CARGO_TARGET_DIR),target)/$(patsubst dev,debug,$(CARGO_PROFILE))
LIB = $(DESTDIR)$(PREFIX)/lib
CAPI_VERSION = $(shell cargo pkgid --package monpro-capi | sed 's/.*[\#@]//')
# The number in it rises when a program that was linked before would no longer run.
SONAME := libmonpro.so.0
CAPI_HEADERS := monpro.h monpro.hpp
# Below lib: how pkg-config and CMake find the library.
CAPI_TEMPLATES := pkgconfig/monpro.pc cmake/monpro/monproConfig.cmake cmake/monpro/monproConfigVersion.cmake

# Of install-openssl: the module that cargo makes, and where it goes with its configuration.
OPENSSL_BUILT = $(or $(CARGO_TARGET_DIR),adapters/openssl/target)/$(patsubst dev,debug,$(CARGO_PROFILE))/libmonpro_openssl.so
OPENSSL_MODULE = $(PREFIX)/lib/ossl-modules/monpro.so
OPENSSL_CONFIGURATION = $(PREFIX)/share/monpro/openssl.cnf

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 16

# Of `test` and `lint`: tools/check.py does the rest of the set-up beside its first checks.
packages:
	@test -n "$(PYTHON)" || { echo "setup: no Python 3.11 or later found: install one (apt-get install python3)" >&2; exit 1; }
	@$(PYTHON) tools/setup.py --packages

setup: packages ## make .venv, install the locked packages, build the native module, get the hardware tools
	@$(PYTHON) tools/setup.py

demo: setup ## the main job: an RSA operation through every engine, cross-checked; report/index.html and report.html
	@$(IN_VENV)/monpro demo

test: packages ## format, lint, types and every test
	@$(IN_VENV)/python tools/check.py

test-full: setup ## the same, with the tests that take minutes
	@$(IN_VENV)/python -m pip install --quiet --require-hashes --requirement requirements/scale.txt
	@$(IN_VENV)/python -m pip install --quiet --require-hashes --target .venv/stores --upgrade \
		--requirement requirements/stores.txt
	@! command -v go >/dev/null || GOBIN=$(CURDIR)/.venv/bin go install $(SERVER_OF_S3) || true # its tests say what is missing
	@$(IN_VENV)/python tools/check.py --full

mutants: setup ## change the Rust sources (ONLY="crates/monpro/src/pow.rs") in every way that the tests should notice, for a day
	@$(IN_VENV)/python tools/mutants.py $(addprefix --file=,$(ONLY))

proofs: setup ## redo the proofs of machine code, of bounds, of recodings and of the cores, in minutes
	@cargo test --quiet --locked --package monpro --lib -- bounds small window_holds carries
	@$(IN_VENV)/python -m pytest -q -m "" -n auto --dist worksteal \
		--deselect tests/proofs/test_machine_code.py::test_a_changed_instruction_is_refuted \
		tests/proofs tests/rtl/test_proofs.py tests/rtl/test_element_proofs.py tests/rtl/test_late_proofs.py \
		tests/flow/test_bus_proofs.py

ports: setup ## compile with the oldest Rust, test on emulated CPUs and under Miri
	@$(IN_VENV)/python tools/check.py --ports

audit: setup ## check licences, sources and advisories of the locked crates, by cargo-deny
	@$(IN_VENV)/python tools/check.py --audit

dist: setup ## build the crates, the wheel and the sdist into dist/, the same bytes on every machine
	@$(IN_VENV)/python tools/release.py

wheels: setup ## build the wheels for x86-64 and AArch64 Linux, glibc 2.17 or later, into dist/
	@$(IN_VENV)/python tools/release.py --wheels

sbom: setup ## write bills of materials (CycloneDX) of the crates and the Python packages into dist/
	@$(IN_VENV)/python tools/release.py --sbom

constant-time: ## check that time and addresses do not depend on secrets, and that those are erased
	@$(CONSTANT_TIME)

fuzz: ## feed every fuzz target odd inputs for MINUTES in all (10); failures go to fuzz/target/artifacts
	@cd fuzz && cargo build --quiet --release --locked
	@cd fuzz && for target in $(FUZZ_TARGETS); do \
		echo "fuzz: $$target, $(FUZZ_SECONDS) s"; \
		mkdir -p target/corpus/$$target target/artifacts/$$target; \
		cargo run --quiet --release --locked --bin $$target -- -max_total_time=$(FUZZ_SECONDS) -max_len=1000 -timeout=100 \
			-artifact_prefix=target/artifacts/$$target/ target/corpus/$$target corpus/$$target || exit 1; done
	@$(MAKE) --silent install-c PREFIX=$(CURDIR)/fuzz/target/c DESTDIR=
	@echo "fuzz: c_interface, $(FUZZ_SECONDS) s"
	@$(CC) -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -Ifuzz/target/c/include fuzz/c_interface.c \
		fuzz/target/c/lib/libmonpro.a -lgmp -lpthread -ldl -lm -o fuzz/target/c_interface
	@fuzz/target/c_interface $(FUZZ_SECONDS)

many-documents: ## give the key parsers COUNT (2000000) documents that are almost right; none may take over 50 ms
	@cd fuzz && RUSTFLAGS=-Cdebuginfo=1 cargo run --quiet --profile plain --locked --example many_documents -- $(COUNT)

mutants-python: setup ## try small faults in spec, cores and report (ONLY="spec/blum01.py cores"), which takes hours
	@$(IN_VENV)/python tools/mutants_python.py $(ONLY)

bench: setup ## time monpro beside its competitors; record it in results/ and in the documents
	@$(BENCH) --race integers --record
	@$(BENCH) --race sweep --record
	@$(BENCH) --race modexp --record
	@$(BENCH) --race rsa --record
	@$(BENCH) --race gf2 --record
	@$(IN_VENV)/python -m monpro.bench.arrays results
	@$(IN_VENV)/python -m monpro.results.headline docs/performance.md results
	@$(IN_VENV)/python -m monpro.results.speedup . results

bench-libraries: ## build the newest OpenSSL and AWS-LC, which make bench then races, in minutes
	@CARGO_MAKEFLAGS=-j$$(nproc) cargo run --quiet --release --locked --manifest-path bench/libraries/Cargo.toml

synth: setup ## synthesise every core at 1024 and 2048 bits, which takes an hour; record it in results/
	@for bits in 1024 2048; do $(IN_VENV)/monpro synth all --bits $$bits --target osu018 --record || exit 1; done

tune: ## time every kernel over the integers and rewrite the rules by which one is selected
	@$(BENCH) --race tune

report: setup ## write report/report.html: tables, figures and claims beside the print, and what is fastest
	@$(IN_VENV)/monpro report -o report/report.html

docs: setup ## build the site into target/site: guides, Python and Rust reference, the papers, the report
	@$(IN_VENV)/python -m pip install --quiet --require-hashes --requirement requirements/docs.txt
	@$(IN_VENV)/python tools/docs.py

install-c: ## install the C library, its headers and its files for pkg-config and CMake below PREFIX (/usr/local)
	@cargo build --quiet --locked --profile $(CARGO_PROFILE) --package monpro-capi
	@install -d $(LIB)/pkgconfig $(LIB)/cmake/monpro $(DESTDIR)$(PREFIX)/include
	@$(CC) -shared -o $(LIB)/libmonpro.so.$(CAPI_VERSION) -Wl,-soname,$(SONAME) -Wl,--version-script=$(CAPI)/monpro.map \
		-Wl,-z,relro,-z,now,-z,noexecstack,-z,defs -Wl,--gc-sections,--as-needed,--strip-debug \
		-Wl,--whole-archive $(TARGET_FOLDER)/libmonpro.a -Wl,--no-whole-archive -lpthread -ldl -lm
	@ln -sf libmonpro.so.$(CAPI_VERSION) $(LIB)/$(SONAME)
	@ln -sf $(SONAME) $(LIB)/libmonpro.so
	@install -m 644 $(TARGET_FOLDER)/libmonpro.a $(LIB)
	@install -m 644 $(addprefix $(CAPI)/include/,$(CAPI_HEADERS)) $(DESTDIR)$(PREFIX)/include
	@for file in $(CAPI_TEMPLATES); do sed -e 's|@VERSION@|$(CAPI_VERSION)|' -e 's|@SONAME@|$(SONAME)|' \
		$(CAPI)/templates/$$file.in > $(LIB)/$$file || exit 1; done

uninstall-c: ## remove what install-c has installed
	@rm -f $(LIB)/libmonpro.so $(LIB)/libmonpro.so.* $(LIB)/libmonpro.a $(addprefix $(LIB)/,$(CAPI_TEMPLATES)) \
		$(addprefix $(DESTDIR)$(PREFIX)/include/,$(CAPI_HEADERS))
	@for folder in cmake/monpro cmake pkgconfig; do rmdir $(LIB)/$$folder 2>/dev/null || true; done

install-openssl: ## install the OpenSSL provider and a configuration that turns it on, below PREFIX (/usr/local)
	@cargo build --quiet --locked --profile $(CARGO_PROFILE) --manifest-path adapters/openssl/Cargo.toml
	@install -d $(dir $(DESTDIR)$(OPENSSL_MODULE)) $(dir $(DESTDIR)$(OPENSSL_CONFIGURATION))
	@install -m 644 $(OPENSSL_BUILT) $(DESTDIR)$(OPENSSL_MODULE)
	@sed -e 's|@MODULE@|$(OPENSSL_MODULE)|' adapters/openssl/openssl.cnf.in > $(DESTDIR)$(OPENSSL_CONFIGURATION)
	@chmod 644 $(DESTDIR)$(OPENSSL_CONFIGURATION)

uninstall-openssl: ## remove what install-openssl has installed
	@rm -f $(DESTDIR)$(OPENSSL_MODULE) $(DESTDIR)$(OPENSSL_CONFIGURATION)
	@rmdir $(dir $(DESTDIR)$(OPENSSL_MODULE)) $(dir $(DESTDIR)$(OPENSSL_CONFIGURATION)) 2>/dev/null || true

fmt: setup ## format the Rust and Python sources, list the SystemVerilog ones, write the manual page
	@for folder in . bench bench/libraries constant-time fuzz page-guard adapters/revm adapters/rustls adapters/rustls/bench adapters/openssl; do cargo fmt --all --manifest-path $$folder/Cargo.toml || exit 1; done
	@$(IN_VENV)/ruff format --quiet . && $(IN_VENV)/ruff check --quiet --fix .
	@$(IN_VENV)/python -m monpro.flow.generated
	@$(IN_VENV)/python -m monpro.cli.manual > python/wheel/data/share/man/man1/monpro.1

lint: packages ## format, lint and types only
	@$(IN_VENV)/python tools/check.py --lint

lock: setup ## compile requirements/*.txt anew, with the newest versions
	@$(IN_VENV)/python -m pip install --quiet pip-tools
	@$(LOCK) --extra=arrays --extra=columns --extra=lab --unsafe-package=monpro --output-file=requirements/runtime.txt pyproject.toml
	@sed -i '/^$$/,$$d' requirements/runtime.txt # the warning that monpro, which `lab` names, is not pinned
	@$(LOCK) --output-file=requirements/dev.txt requirements/dev.in
	@$(LOCK) --output-file=requirements/hardware.txt requirements/hardware.in
	@$(LOCK) --output-file=requirements/scale.txt requirements/scale.in
	@$(LOCK) --output-file=requirements/stores.txt requirements/stores.in
	@$(LOCK) --output-file=requirements/docs.txt requirements/docs.in
	@$(LOCK) --output-file=requirements/release.txt requirements/release.in
	@$(LOCK) --output-file=requirements/wheels.txt requirements/wheels.in
	@$(LOCK) --output-file=requirements/mutation.txt requirements/mutation.in
