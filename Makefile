.PHONY: app test lint types tests train clean

BIN := .venv/bin
SET_UP := pyproject.toml constraints.txt .ci/set_up

app: .venv/ready-app
	$(BIN)/kingdomino app

test: lint types tests

lint: .venv/ready-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/ready-test
	$(BIN)/mypy

tests: .venv/ready-test
	$(BIN)/pytest -m "not browser" -n auto --maxprocesses 4 --dist loadfile
	$(BIN)/pytest -m browser

train:
	.ci/train

.venv/ready-app: $(SET_UP)
	.ci/set_up
	@touch $@

.venv/ready-test: $(SET_UP)
	.ci/set_up test
	@touch $@

clean:
	rm -rf .venv .venv-train
