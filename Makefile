.PHONY: app test test-web test-all lint types types-and-web tests test-oldest test-newest long slow stories trained train docs clean

BIN := .venv/bin
# Each test that starts a process would else compile the whole source again.
export PYTHONDONTWRITEBYTECODE :=
SET_UP := pyproject.toml constraints.txt package.json .ci/set_up

app: .venv/ready-app
	$(BIN)/kingdomino app

# The type checker and then the scripts have one process, the tests the other core in the meantime.
test: lint
	$(MAKE) -j 2 types-and-web tests

types-and-web: types
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

# The processes have the cores already: threads of numeric libraries would spin until they get one.
tests: export OMP_NUM_THREADS = 1
tests: export OPENBLAS_NUM_THREADS = 1
tests: .venv/ready-test
	$(BIN)/pytest -m "not slow and not browser" -n auto --maxprocesses 4 --dist worksteal

# What takes long, and stories in a real browser, two at a time.
long: slow stories

slow: .venv/ready-all
	$(BIN)/pytest -m "(slow or hypothesis) and not browser" --hypothesis-profile many -n auto --maxprocesses 4 --dist worksteal

# Fingers are told by test-web.
stories: .venv/ready-all
	$(BIN)/pytest tests/browser --ignore tests/browser/test_fingers.py -n 2 --dist loadfile

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
