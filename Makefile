# Every target sets up what it needs inside the checkout: Python 3.11 or newer, pip and make are enough.
#
#   make demo           what memory does, offline, in a few seconds
#   make project NAME=support_bot    one of the small programs of examples/projects
#   make test           everything but the framework and browser tests
#   make help           the rest
#
# Another interpreter: make clean && make test PYTHON=python3.13

PYTHON ?= python3

# A name of our own: a .venv in the checkout is the user's, and nothing here touches it.
VENV := .venv-amb
FRAMEWORKS_A := .venv-frameworks-a
FRAMEWORKS_B := .venv-frameworks-b
LITELLM := .venv-litellm
STORES := .venv-stores
GATEWAY := .venv-gateway
BROWSER := .venv-browser
DOCS := .venv-docs
WHEEL := .venv-wheel
SBOM := .venv-sbom
INTERPRETERS := python3.11 python3.12 python3.13 python3.14

# Settings of the user's shell that would leak into the environments, or ask a question. Without compiled files every
# run would read and rewrite all tests anew, and every process a test starts all of AMB.
unexport PYTHONPATH PYTHONHOME PYTHONDONTWRITEBYTECODE VIRTUAL_ENV
export PIP_USER := 0
export PIP_NO_INPUT := 1
# Of what an environment holds a small part is ever imported, and compiled then.
export PIP_NO_COMPILE := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1

INSTALL := -m pip install --quiet --quiet
PYTEST := -m pytest
# What a checkout has beside the package itself; each is a distribution of its own.
OURS := $(patsubst %/pyproject.toml,--editable ./%,$(wildcard tools/*/pyproject.toml))
IN_PARALLEL := -n 2 --dist worksteal
# These have a target of their own, with a server of their own.
ELSEWHERE := --ignore=tests/postgres --ignore=tests/proxy/test_side_by_side.py

# Two environments: A has the frameworks that [tool.amb-frameworks] of pyproject.toml names, with openai 2, and B all that
# work with openai 3. Asked where it is needed: extras, marks of their tests, and what only A can check the types of.
ASK = $(shell $(PYTHON) tests/frameworks.py $(1))
PLAIN = not ($(call ASK,marks)) and not (browser or neo4j or zh or gateway)
FRAMEWORK_TESTS := tests/integrations tests/security/test_autogen_injection.py tests/test_docs.py tests/test_examples.py
# The second ways into a framework run the whole contract at night, and so do those with openai 2 that run with openai 3
# anyway: make test-frameworks BY_DAY=
BY_DAY := and not nightly
ONCE = $(if $(BY_DAY),and not ($(call ASK,marks 3)))
# Chinese names by a model, 110 MB, have no environment of their own.
WITH_ZH := tests/text/test_chinese_model.py

TYPES_A = $(call ASK,types 2)
TYPES_B = amb_core $(patsubst %/,%,$(dir $(wildcard tools/amb_*/__init__.py tools/amb_*/amb_*/__init__.py))) \
  $(filter-out $(TYPES_A),$(wildcard integrations/amb_* examples/*.py examples/projects/*/*.py))

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo project test test-fast test-nightly lint rules format types types-by-day wheel test-frameworks test-frameworks-a \
  test-frameworks-b test-frameworks-lowest test-autogen test-openai2 test-litellm test-neo4j test-chroma test-postgres \
  test-postgres-nightly test-gateway \
  test-browser docs dist installs sbom hooks clean

help: ## list the targets
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{ printf "%-28s %s\n", $$1, $$2 }'

demo: $(VENV)/.amb ## what a small request still has of thirty large results
	@$(VENV)/bin/amb demo

# The first commands of its README, as they stand there but for the environment: its .venv may be the user's own.
project: ## one of the small programs of examples/projects: make project NAME=support_bot
	@test -n "$(NAME)" && test -f "examples/projects/$(NAME)/README.md" || { \
	  echo "Name one of these: make project NAME=support_bot" >&2; ls -1 examples/projects | grep -v README >&2; exit 2; }
	@echo "Installing what it needs ..."
	@cd "examples/projects/$(NAME)" && PIP_QUIET=1 sh -ec "$$(awk '/^```/ { fence++; next } fence == 1 { gsub(/\.venv/, "$(VENV)"); print }' README.md)"

test: $(VENV)/.test ## all tests but the nightly ones and those that need a framework or a browser
	@$(VENV)/bin/python $(PYTEST) $(IN_PARALLEL) $(ELSEWHERE) -m "$(PLAIN) and not nightly"

test-fast: $(VENV)/.test ## the same without the slow ones, in about a minute
	@$(VENV)/bin/python $(PYTEST) $(IN_PARALLEL) $(ELSEWHERE) -m "$(PLAIN) and not slow and not nightly"

test-nightly: $(VENV)/.test ## hundreds of killed processes (KILL_RUNS), more threads and examples (DEEP), all attacks every way
	@KILL_RUNS=$${KILL_RUNS:-400} DEEP=$${DEEP:-20} $(VENV)/bin/python $(PYTEST) $(IN_PARALLEL) -m "$(PLAIN) and (nightly or slow or hypothesis)"

test-frameworks: test-frameworks-a test-frameworks-b ## the integrations, against the newest of each framework

test-frameworks-a: $(FRAMEWORKS_A)/.installed ## with openai 2: CrewAI and what else needs or takes it
	@$(FRAMEWORKS_A)/bin/python $(PYTEST) $(IN_PARALLEL) -m "($(call ASK,marks 2)) $(BY_DAY) $(ONCE)" $(FRAMEWORK_TESTS)

test-frameworks-b: $(FRAMEWORKS_B)/.installed ## with openai 3: all the others, and Chinese names
	@$(FRAMEWORKS_B)/bin/python $(PYTEST) $(IN_PARALLEL) -m "($(call ASK,marks 3) or zh) $(BY_DAY)" $(FRAMEWORK_TESTS) tests/test_projects.py $(WITH_ZH)

test-frameworks-lowest: ## against the lowest versions pyproject.toml allows (EXTRAS="crewai mcp")
	@PYTHON=$(PYTHON) .ci/test-lowest $(EXTRAS)

test-autogen: $(FRAMEWORKS_B)/.installed ## the AutoGen integration alone
	@$(FRAMEWORKS_B)/bin/python $(PYTEST) -m autogen $(FRAMEWORK_TESTS)

test-openai2: $(FRAMEWORKS_A)/.installed ## the chat models with openai 2, and over LiteLLM
	@$(FRAMEWORKS_A)/bin/python $(PYTEST) tests/chat

test-litellm: $(LITELLM)/.litellm ## the same with openai 3, for which LiteLLM has to be new
	@$(LITELLM)/bin/python $(PYTEST) tests/chat

test-neo4j: $(STORES)/.stores ## graphs on a server that speaks Bolt, or on the one of AMB_NEO4J_URL
	@$(STORES)/bin/python $(PYTEST) tools/amb_book/tests/test_neo4j_graph.py tools/amb_book/tests/test_neo4j_story.py

test-chroma: $(STORES)/.stores ## the record store in Chroma, which the other tests skip
	@$(STORES)/bin/python $(PYTEST) -m "not nightly" tests/stores/test_chroma_folder.py tests/stores/test_stores_agree.py -k chroma

test-postgres: $(STORES)/.stores ## the record store in PostgreSQL, on a server that comes as a package (or POSTGRES_BIN)
	@$(STORES)/bin/python $(PYTEST) -m "not nightly" tests/postgres tests/proxy/test_side_by_side.py

test-postgres-nightly: $(STORES)/.stores ## the same with hundreds of kills (KILL_RUNS), eight processes of 1,000 texts, and the scale bench
	@KILL_RUNS=$${KILL_RUNS:-204} $(STORES)/bin/python $(PYTEST) -m "nightly or slow" tests/postgres

test-gateway: $(GATEWAY)/.gateway ## the gateway through npm clients, Codex, LangChain and the Claude Agent SDK; MCP's own suite
	@$(GATEWAY)/bin/python $(PYTEST) -m gateway -rs tests/proxy tests/integrations/mcp_server/test_conformance.py

test-browser: $(BROWSER)/.browser ## the pages in Chromium, with screenshots in build/; skips without one
	@$(BROWSER)/bin/python $(PYTEST) -m browser -rs tests/browser
	@$(BROWSER)/bin/python $(PYTEST) -m browser -rs tools/amb_book/tests/browser

lint: $(VENV)/.check ## ruff: rules and format
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/ruff format --check .

rules: $(VENV)/.test ## layers, house rules and public names
	@$(VENV)/bin/python $(PYTEST) tests/test_layers.py tests/test_house_rules.py tests/test_public_names.py tests/test_frozen_names.py

format: $(VENV)/.check ## let ruff mend what it can
	@$(VENV)/bin/ruff check --fix .
	@$(VENV)/bin/ruff format .

# The checkers run from $(VENV) but look at the environments that have the frameworks, so that each integration is checked
# against its framework's own types; the two run side by side. Pyright's `nodejs` extra brings node as a wheel.
types-by-day: $(VENV)/.check $(FRAMEWORKS_A)/.installed $(FRAMEWORKS_B)/.installed ## mypy --strict alone
	@$(VENV)/bin/mypy --python-executable $(FRAMEWORKS_B)/bin/python $(TYPES_B)
	@$(VENV)/bin/mypy --python-executable $(FRAMEWORKS_A)/bin/python $(TYPES_A)

types: $(VENV)/.check $(FRAMEWORKS_A)/.installed $(FRAMEWORKS_B)/.installed ## mypy --strict and pyright
	@$(VENV)/bin/mypy --python-executable $(FRAMEWORKS_B)/bin/python $(TYPES_B) && \
	  $(VENV)/bin/mypy --python-executable $(FRAMEWORKS_A)/bin/python $(TYPES_A) & beside=$$!; \
	$(VENV)/bin/pyright --pythonpath $(FRAMEWORKS_B)/bin/python $(TYPES_B) && \
	  $(VENV)/bin/pyright --pythonpath $(FRAMEWORKS_A)/bin/python $(TYPES_A); status=$$?; \
	wait $$beside && exit $$status

# The sdist, the wheel made from it, and the tests that need nothing but an installed AMB, run away from the checkout.
wheel: $(VENV)/.check ## build the wheel and test it where it cannot see the sources
	@rm -rf dist $(WHEEL)
	@$(VENV)/bin/python -m build --outdir dist . >$(VENV)/build.log 2>&1 || { cat $(VENV)/build.log; exit 1; }
	@$(MAKE) --no-print-directory $(WHEEL)/.created
	@$(WHEEL)/bin/python $(INSTALL) --group test dist/amb-*.whl
	@.ci/test-wheel "$(CURDIR)/$(WHEEL)/bin/python"

dist: $(VENV)/.check ## the wheels and sdists of the published distributions, in dist/
	@rm -rf dist
	@$(VENV)/bin/python -m build --outdir dist . >$(VENV)/build.log 2>&1 || { cat $(VENV)/build.log; exit 1; }
	@$(VENV)/bin/python -m build --outdir dist tools/amb_book >$(VENV)/build.log 2>&1 || { cat $(VENV)/build.log; exit 1; }

installs: dist ## the wheel and the sdist in empty environments of every Python that is here (INTERPRETERS)
	@.ci/test-installs $(INTERPRETERS)

# What the wheel needs, as pip resolves it, in an environment that holds nothing else.
sbom: dist ## a list of what the wheel needs with versions and licences (CycloneDX), in dist/amb.cdx.json
	@rm -rf $(SBOM) && $(MAKE) --no-print-directory $(SBOM)/.created
	@$(SBOM)/bin/python $(INSTALL) dist/amb-[0-9]*.whl
	@$(SBOM)/bin/python -m pip uninstall --quiet --yes setuptools pip
	@$(VENV)/bin/cyclonedx-py environment --output-reproducible --pyproject pyproject.toml \
	  --output-file dist/amb.cdx.json $(SBOM)/bin/python

docs: $(DOCS)/.docs ## the docs as a site in build/site that needs no network; a broken link is an error
	@NO_MKDOCS_2_WARNING=1 $(DOCS)/bin/mkdocs build --quiet

hooks: $(VENV)/.check ## run lint before each commit and the types before each push
	@$(VENV)/bin/pre-commit install --hook-type pre-commit --hook-type pre-push

clean: ## remove the environments and everything built
	@rm -rf $(VENV) $(FRAMEWORKS_A) $(FRAMEWORKS_B) $(LITELLM) $(STORES) $(GATEWAY)
	@rm -rf $(BROWSER) $(DOCS) $(WHEEL) $(SBOM) build dist
	@rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# --- environments: a stamp a step, made again when pyproject.toml changes --------------------------------------------

$(VENV)/.amb: pyproject.toml $(wildcard tools/*/pyproject.toml) | $(VENV)/.created
	@echo "Setting up $(VENV) ..."
	@$(VENV)/bin/python $(INSTALL) --editable . $(OURS)
	@touch $@

$(VENV)/.test: $(VENV)/.amb
	@echo "Installing what the tests need ..."
	@$(VENV)/bin/python $(INSTALL) --group test
	@touch $@

$(VENV)/.check: $(VENV)/.amb
	@echo "Installing the checkers ..."
	@$(VENV)/bin/python $(INSTALL) --group check
	@touch $@

$(FRAMEWORKS_A)/.installed: pyproject.toml | $(FRAMEWORKS_A)/.created
	@echo "Setting up $(FRAMEWORKS_A) (1.3 GB, mostly CrewAI) ..."
	@$(FRAMEWORKS_A)/bin/python $(INSTALL) $(OURS) --editable ".[$(call ASK,extras 2),litellm]" "openai>=2,<3" --group test $(call ASK,groups 2)
	@touch $@

$(FRAMEWORKS_B)/.installed: pyproject.toml | $(FRAMEWORKS_B)/.created
	@echo "Setting up $(FRAMEWORKS_B) ..."
	@$(FRAMEWORKS_B)/bin/python $(INSTALL) $(OURS) --editable ".[$(call ASK,extras 3),deepagents,zh]" "openai>=3" --group test --group projects $(call ASK,groups 3)
	@touch $@

$(LITELLM)/.litellm: pyproject.toml | $(LITELLM)/.created
	@echo "Setting up $(LITELLM) ..."
	@$(LITELLM)/bin/python $(INSTALL) --editable ".[openai,litellm]" $(OURS) "openai>=3" "litellm>=1.108" --group test
	@touch $@

$(STORES)/.stores: pyproject.toml | $(STORES)/.created
	@echo "Setting up $(STORES) (700 MB: Chroma, PostgreSQL, and a server of graphs with its Java) ..."
	@$(STORES)/bin/python $(INSTALL) --editable ".[neo4j,chroma,postgres,proxy]" $(OURS) \
	  --group neo4j --group chroma --group postgres
	@touch $@

# Node comes as a wheel; where npm reaches no registry its tests skip, and the others run.
$(GATEWAY)/.gateway: pyproject.toml tests/proxy/node/package.json | $(GATEWAY)/.created
	@echo "Setting up $(GATEWAY) (1 GB, mostly two command lines) ..."
	@$(GATEWAY)/bin/python $(INSTALL) --editable ".[proxy,mcp]" $(OURS) --group test --group gateway
	@mkdir -p $(GATEWAY)/node && cp tests/proxy/node/package.json $(GATEWAY)/node
	@cd $(GATEWAY)/node && PATH="$(CURDIR)/$(GATEWAY)/bin:$$PATH" npm install --no-audit --no-fund --silent || \
	  echo "npm could not install: the tests of its clients skip" >&2
	@touch $@

$(BROWSER)/.browser: pyproject.toml | $(BROWSER)/.created
	@echo "Setting up $(BROWSER) ..."
	@$(BROWSER)/bin/python $(INSTALL) --editable . $(OURS) --group test --group browser
	@touch $@

$(DOCS)/.docs: pyproject.toml | $(DOCS)/.created
	@echo "Setting up $(DOCS) ..."
	@$(DOCS)/bin/python $(INSTALL) --group docs
	@touch $@

# An environment that is there already is kept with what is in it. Debian's Python may lack ensurepip; pip can then fill
# the environment from outside. `--group` needs pip 25.1.
%/.created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "AMB needs Python 3.11 or newer; '$(PYTHON)' is $$($(PYTHON) --version 2>/dev/null || echo not there)." >&2; \
	  echo "Name another one: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@$*/bin/python -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  $(PYTHON) -m venv --clear $* >/dev/null 2>&1 || { \
	  $(PYTHON) -m venv --clear --without-pip $* && \
	  $(PYTHON) -m pip --python $*/bin/python install --quiet --quiet pip; }
	@$*/bin/python $(INSTALL) --upgrade "pip>=25.1"
	@touch $@
