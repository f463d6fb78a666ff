# Builds, tests, installs and packages Haul; `make help` lists what can be asked for.
#
# Nothing here needs the network. Packages that are missing are named, not installed; ./haul and
# ./test install them where that is allowed. For staged installations: make install DESTDIR=FOLDER.

PREFIX ?= /usr/local
DESTDIR ?=
BINDIR ?= $(PREFIX)/bin
DATADIR ?= $(PREFIX)/share
MANDIR ?= $(DATADIR)/man
DOCDIR ?= $(DATADIR)/doc/haul
BASHDIR ?= $(DATADIR)/bash-completion/completions
ZSHDIR ?= $(DATADIR)/zsh/site-functions
FISHDIR ?= $(DATADIR)/fish/vendor_completions.d
INSTALL ?= install
INSTALL_PROGRAM ?= $(INSTALL) -m 755
INSTALL_DATA ?= $(INSTALL) -m 644

# Where the build keeps its files, and the program that is installed. With another PROGRAM nothing
# is built.
SCRATCH ?= .build
PROGRAM ?= $(SCRATCH)/release/haul
# Where `make deb` puts the package.
DEBS ?= .build/deb

VERSION := $(shell sed -n 's/.* number = "\(.*\)"/\1/p' Sources/HaulCLI/Version.swift)
SOURCES := Package.swift $(shell find Sources -type f)
# Made by the program itself.
SHARE := $(SCRATCH)/share
PAGES := $(SHARE)/haul.1 $(SHARE)/haul.bash $(SHARE)/haul.zsh $(SHARE)/haul.fish
DOCUMENTS := README.md CHANGELOG.md LICENSE docs/CODES.md docs/FORMATS.md docs/events.schema.json \
  docs/FROM-ARIA2.md docs/FROM-CURL.md docs/FROM-WGET.md docs/TROUBLESHOOTING.md

# Flags for `swift build`. Those of C, which packagers set as well, go through the driver of Swift.
SWIFTFLAGS ?=
comma := ,
flags = $(SWIFTFLAGS) $(foreach flag,$(CPPFLAGS) $(CFLAGS),-Xcc $(flag)) $(foreach flag,$(subst $(comma), ,$(patsubst \
  -Wl$(comma)%,%,$(filter -Wl$(comma)% -L% -l%,$(LDFLAGS)))),-Xlinker $(flag))

.PHONY: all install install-strip uninstall test torture deb test-package clean version help
.DELETE_ON_ERROR:

all: $(PROGRAM) $(PAGES)

$(SCRATCH)/release/haul: $(SOURCES) scripts/build
	scripts/build --check --scratch-path '$(SCRATCH)' $(flags)
	@touch $@

$(SHARE)/haul.1: $(PROGRAM)
	@mkdir -p '$(SHARE)'
	'$(PROGRAM)' manual >$@

$(SHARE)/haul.%: $(PROGRAM)
	@mkdir -p '$(SHARE)'
	'$(PROGRAM)' completions $* >$@

install: all
	@for folder in '$(BINDIR)' '$(MANDIR)' '$(DOCDIR)' '$(BASHDIR)' '$(ZSHDIR)' '$(FISHDIR)'; do \
	  folder='$(DESTDIR)'$$folder; \
	  while [ ! -e "$$folder" ]; do folder=$$(dirname "$$folder"); done; \
	  [ -w "$$folder" ] || { \
	    echo "haul: $$folder may not be written; run: sudo make install" >&2; \
	    echo "haul: or, for yourself alone: make install PREFIX=$$HOME/.local" >&2; \
	    exit 1; \
	  }; \
	done
	$(INSTALL) -d '$(DESTDIR)$(BINDIR)' '$(DESTDIR)$(MANDIR)/man1' '$(DESTDIR)$(DOCDIR)' \
	  '$(DESTDIR)$(BASHDIR)' '$(DESTDIR)$(ZSHDIR)' '$(DESTDIR)$(FISHDIR)'
	$(INSTALL_PROGRAM) '$(PROGRAM)' '$(DESTDIR)$(BINDIR)/haul'
	$(INSTALL_DATA) $(SHARE)/haul.1 '$(DESTDIR)$(MANDIR)/man1/haul.1'
	$(INSTALL_DATA) $(SHARE)/haul.bash '$(DESTDIR)$(BASHDIR)/haul'
	$(INSTALL_DATA) $(SHARE)/haul.zsh '$(DESTDIR)$(ZSHDIR)/_haul'
	$(INSTALL_DATA) $(SHARE)/haul.fish '$(DESTDIR)$(FISHDIR)/haul.fish'
	$(INSTALL_DATA) $(DOCUMENTS) '$(DESTDIR)$(DOCDIR)'

install-strip:
	$(MAKE) install INSTALL_PROGRAM='$(INSTALL) -s -m 755'

uninstall:
	rm -f '$(DESTDIR)$(BINDIR)/haul' '$(DESTDIR)$(MANDIR)/man1/haul.1' \
	  '$(DESTDIR)$(BASHDIR)/haul' '$(DESTDIR)$(ZSHDIR)/_haul' '$(DESTDIR)$(FISHDIR)/haul.fish'
	for file in $(notdir $(DOCUMENTS)); do rm -f '$(DESTDIR)$(DOCDIR)'/$$file; done
	if [ -d '$(DESTDIR)$(DOCDIR)' ]; then rmdir '$(DESTDIR)$(DOCDIR)'; fi

test:
	./test

torture: test-package
	./test --all

deb:
	scripts/package '$(DEBS)'

test-package:
	scripts/test-package

clean:
	rm -rf '$(SCRATCH)'

version:
	@echo $(VERSION)

help:
	@echo 'make                      builds the program, its manual page and its completions'
	@echo 'make install              installs them: PREFIX=$(PREFIX) DESTDIR='
	@echo 'make install-strip        the same, and the program without symbols'
	@echo 'make uninstall            removes what was installed'
	@echo 'make test                 all tests but the long ones; make torture: those, too'
	@echo 'make deb                  a Debian package; make test-package: installs it in a clean root'
	@echo 'make clean                removes what was built'
