.PHONY: app test test-web test-all lint types tests test-oldest test-newest long slow stories trained train docs clean

BIN := .venv/bin
# Each test that starts a process would else compile the whole source again.
export PYTHONDONTWRITEBYTECODE :=
SET_UP := pyproject.toml constraints.txt package.json .ci/set_up

app: .venv/ready-app
	$(BIN)/kingdomino app

# The type checker has one process, the tests have the other core in the meantime.
test: lint
	$(MAKE) -j 2 types tests
	$(MAKE) test-web

# The scripts of the pages: under node, and fingers in a real browser.
test-web: .venv/ready-test
	.ci/web test

test-all: test long trained

lint: .venv/ready-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	.ci/web types

types: .venv/ready-test
	$(BIN)/mypy

tests: .venv/ready-test
	$(BIN)/pytest -m "not slow and not browser" -n auto --maxprocesses 4 --dist worksteal

# What takes long, and stories in a real browser.
long: slow stories

slow: .venv/ready-all
	$(BIN)/pytest -m "slow and not browser" -n auto --maxprocesses 4 --dist worksteal

stories: .venv/ready-all
	$(BIN)/pytest -m browser

# With the oldest and the newest versions that pyproject.toml allows.
test-oldest:
	.ci/versions lowest-direct

test-newest:
	.ci/versions highest

# The smallest network made from nothing, and an edition more: minutes of training.
trained:
	.ci/train -m slow

# All tests of the training code, where there is a torch for processors.
train:
	.ci/train

docs:
	.ci/docs

.venv/ready-app: $(SET_UP)
	.ci/set_up
	@touch $@

.venv/ready-test: $(SET_UP)
	.ci/set_up test
	@touch $@

.venv/ready-all: $(SET_UP)
	.ci/set_up all
	@touch $@ .venv/ready-test

clean:
	rm -rf .venv .venv-train .venv-docs .venv-lowest-direct .venv-highest site
