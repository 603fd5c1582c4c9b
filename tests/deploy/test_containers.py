"""Containers, compose file and units of systemd, checked without an engine."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tomllib
import urllib.error
from configparser import RawConfigParser
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import pytest
import yaml

from companion.cli.companion_command import build_parser

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
            assert "healthcheck" in SERVICES[other]
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
    assert "/data:uid=10001,mode=0700" in service["tmpfs"]
    assert service["environment"]["OMP_NUM_THREADS"] == "1"
    assert "ports" not in service
    # Inside is a network without a way out.
    assert service["networks"] == ["inside"]
    assert COMPOSE["networks"]["inside"]["internal"] is True


def test_the_proxy_alone_says_who_asks_and_how() -> None:
    proxy = SERVICES["proxy"]["networks"]["inside"]["ipv4_address"]
    (network,) = COMPOSE["networks"]["inside"]["ipam"]["config"]
    assert ip_address(proxy) in ip_network(network["subnet"])
    for name in COPIES:
        assert SERVICES[name]["environment"]["FORWARDED_ALLOW_IPS"] == proxy


def test_the_proxy_knows_exactly_the_copies() -> None:
    config = (ROOT / "deploy/nginx.conf").read_text(encoding="utf-8")
    assert re.findall(r"server (app\d):8501", config) == COPIES
    assert set(SERVICES["proxy"]["depends_on"]) == set(COPIES)
    assert len(COPIES) >= 2


def test_games_outlast_the_container_of_the_database() -> None:
    """The image of version 17 keeps its data just there."""
    assert SERVICES["database"]["image"] == "postgres:17"
    assert SERVICES["database"]["volumes"] == ["games:/var/lib/postgresql/data"]


def test_only_the_proxy_is_reached_from_outside() -> None:
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["proxy"]


def test_secrets_are_neither_in_the_file_nor_optional() -> None:
    secret = [
        line for line in TEXT.splitlines() if re.search(r"(PASSWORD|SECRET|://[^/]*@).*:", line)
    ]
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


CONTAINERFILE = (ROOT / "deploy/Containerfile").read_text(encoding="utf-8")


def instructions() -> list[tuple[str, str]]:
    lines = [line for line in CONTAINERFILE.replace("\\\n", " ").splitlines() if line.strip()]
    return [
        (words[0], words[1])
        for line in lines
        if not line.startswith("#") and (words := line.split(maxsplit=1))
    ]


def last(name: str) -> str:
    return next(rest for key, rest in reversed(instructions()) if key == name)


def test_every_instruction_is_known_and_images_name_no_host() -> None:
    known = {"ARG", "FROM", "WORKDIR", "RUN", "COPY", "ENV", "VOLUME", "USER", "EXPOSE"}
    known |= {"CMD"}
    assert {name for name, _ in instructions()} <= known
    for name, rest in instructions():
        if name == "FROM":
            assert re.fullmatch(r"python:\$\{PYTHON\}-slim( AS build)?", rest)


def test_only_packages_with_known_hashes_are_installed() -> None:
    installs = re.findall(r"pip install (.*)", CONTAINERFILE)
    assert len(installs) == 2
    assert "--require-hashes -r deploy/requirements.txt" in installs[0]
    assert {"--no-deps", "--no-build-isolation"} <= set(installs[1].split())
    requirements = (ROOT / "deploy/requirements.txt").read_text(encoding="utf-8")
    backend = re.search(r'requires = \["(.*)"\]', (ROOT / "pyproject.toml").read_text("utf-8"))
    assert backend
    assert f"\n{backend[1]} " in requirements


def test_the_app_runs_without_privileges_and_writes_to_one_folder() -> None:
    assert last("USER") == "10001"
    assert last("VOLUME") == "/data"
    assert {"HOME=/data", "XDG_DATA_HOME=/data"} < {*last("ENV").split()}
    assert "install -d -o companion -m 700 /data " in CONTAINERFILE.replace("\\\n", " ")
    assert json.loads(last("CMD")) == ["companion", "app", "--no-browser"]


@pytest.mark.parametrize("name", COPIES)
def test_the_health_check_fails_where_nothing_answers(name: str) -> None:
    """It is in the compose file: podman's own format of images has none."""
    kind, *command = SERVICES[name]["healthcheck"]["test"]
    assert kind == "CMD"
    assert command[:2] == ["python", "-c"]
    assert ":8501/health" in command[2]
    nowhere = command[2].replace(":8501", ":9")
    assert nowhere != command[2]
    with pytest.raises(urllib.error.URLError):
        exec(nowhere, {})


def test_what_runs_has_no_pip_and_no_tests_of_others() -> None:
    *_, built, installed = (rest for key, rest in instructions() if key == "RUN")
    assert "-name test -o -name tests" in built
    assert re.search(r"pip uninstall .*\bpip\b", installed)
    assert "venv --without-pip /companion" in CONTAINERFILE


def test_secrets_and_environments_stay_out_of_the_image() -> None:
    """Podman reads one name, Docker the other."""
    text = (ROOT / ".containerignore").read_text(encoding="utf-8")
    assert (ROOT / ".dockerignore").read_text(encoding="utf-8") == text
    ignored = text.split()
    assert {".git", ".venv*", "data", "deploy/certificates", "deploy/.env"} <= set(ignored)


FOLDER = Path(__file__).parents[2] / "deploy"
UNITS = ("companion.service", "companion-backup.service", "companion-backup.timer")


def unit(name: str) -> RawConfigParser:
    parser = RawConfigParser(strict=False)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(FOLDER / name, encoding="utf-8")
    return parser


@pytest.mark.parametrize("name", UNITS)
def test_systemd_finds_no_fault(name: str, tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd is not installed")
    program = tmp_path / "companion"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    for each in UNITS:
        text = (FOLDER / each).read_text(encoding="utf-8")
        (tmp_path / each).write_text(text.replace("/opt/companion/bin/companion", str(program)))
    command = ["systemd-analyze", "verify", "--man=no", str(tmp_path / name)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert name not in done.stderr


@pytest.mark.parametrize("name", ["companion.service", "companion-backup.service"])
def test_a_service_runs_a_command_that_there_is(name: str) -> None:
    service = unit(name)["Service"]
    program, *arguments = service["ExecStart"].split()
    assert program == "/opt/companion/bin/companion"
    assert callable(build_parser().parse_args(arguments).run)
    assert service["DynamicUser"] == "yes"
    assert service["User"] == unit("companion.service")["Service"]["User"]
    assert service["ProtectSystem"] == "strict"
    assert service["StateDirectory"] == "companion"
    # Names and photos of people lie there, and in the backup.
    assert (service["StateDirectoryMode"], service["UMask"]) == ("0700", "0077")
    text = (FOLDER / name).read_text(encoding="utf-8")
    assert re.search(r"XDG_DATA_HOME=/var/lib/companion", text)


def test_the_app_starts_again_and_leaves_the_computer_its_memory() -> None:
    service = unit("companion.service")["Service"]
    assert service["Restart"] == "on-failure"
    assert re.fullmatch(r"\d+M", service["MemoryMax"])
    # Photos that people work with would be in memory under /tmp.
    assert "TMPDIR=/var/tmp" in service["Environment"].split()


def test_the_backup_comes_every_night() -> None:
    """In place of that of the night before, and later where the computer was off."""
    timer = unit("companion-backup.timer")["Timer"]
    assert (timer["OnCalendar"], timer["Persistent"]) == ("*-*-* 04:00:00", "yes")
    command = unit("companion-backup.service")["Service"]["ExecStart"].split()
    assert build_parser().parse_args(command[1:]).overwrite
