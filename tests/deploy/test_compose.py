"""The compose file: nothing here can start containers, so its promises are read from it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "deploy/compose.yaml").read_text(encoding="utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load(TEXT)
SERVICES: dict[str, Any] = COMPOSE["services"]
COPIES = sorted(name for name in SERVICES if re.fullmatch(r"app\d", name))
KNOWN = {
    *("image", "build", "restart", "depends_on", "environment", "user", "read_only", "tmpfs"),
    *("cap_drop", "security_opt", "mem_limit", "pids_limit", "expose", "networks", "volumes"),
    *("shm_size", "healthcheck", "ports"),
}
"""The keys of services, as the compose specification spells them, that are used here."""


def test_every_key_is_one_of_the_specification() -> None:
    assert COMPOSE.keys() == {"name", "x-app", "services", "volumes", "networks"}
    for name, service in SERVICES.items():
        assert service.keys() <= KNOWN, name
        assert service["restart"] == "unless-stopped", name


def test_what_services_name_is_there() -> None:
    for name, service in SERVICES.items():
        assert set(service["networks"]) <= COMPOSE["networks"].keys(), name
        for other, condition in service.get("depends_on", {}).items():
            assert condition == {"condition": "service_healthy"}, name
            # The app's health check is in the Containerfile.
            assert "healthcheck" in SERVICES[other] or other in COPIES
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            assert source in COMPOSE["volumes"] or source.startswith("./"), volume
    assert (ROOT / "deploy/nginx.conf").is_file()
    assert (ROOT / COMPOSE["x-app"]["build"]["dockerfile"]).is_file()


@pytest.mark.parametrize("name", COPIES)
def test_a_copy_of_the_app_may_do_little(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["user"] == "10001"
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["mem_limit"]
    assert "ports" not in service
    # Inside is a network without a way out.
    assert service["networks"] == ["inside"]
    assert COMPOSE["networks"]["inside"] == {"internal": True}


def test_the_proxy_knows_exactly_the_copies() -> None:
    config = (ROOT / "deploy/nginx.conf").read_text(encoding="utf-8")
    assert re.findall(r"server (app\d):8501", config) == COPIES
    assert set(SERVICES["proxy"]["depends_on"]) == set(COPIES)
    assert len(COPIES) >= 2


def test_only_the_proxy_is_reached_from_outside() -> None:
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["proxy"]


def test_secrets_are_neither_in_the_file_nor_optional() -> None:
    secret = [line for line in TEXT.splitlines() if re.search(r"(PASSWORD|SECRET|://).*:", line)]
    assert len(secret) == 3
    assert all(re.search(r"\$\{\w+:\?", line) for line in secret)
    used = re.findall(r"\$\{(\w+)(..)", TEXT)
    assert set(used) == {("DATABASE_PASSWORD", ":?"), ("COOKIE_SECRET", ":?")}


def test_the_proxy_lets_through_what_the_app_takes() -> None:
    settings = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))
    config = (ROOT / "deploy/nginx.conf").read_text(encoding="utf-8")
    size = re.search(r"client_max_body_size (\d+)m;", config)
    assert size
    assert settings["server"]["maxUploadSize"] < int(size[1]) <= 64
