"""The stages, from the file that `npm run clients` writes and RBS_STAGE names."""

from __future__ import annotations

import itertools
import json
import os
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import urllib3

from remote_browser import RemoteBrowserClient

WORKSPACE = Path(__file__).parents[4]

_nonces = itertools.count()


@dataclass(frozen=True)
class Fault:
    """A base URL under which a fault happens."""

    url: str

    def log(self) -> list[str]:
        """The operations of the requests, in order."""
        answer = urllib3.request("GET", f"{self.url}/log", retries=False)
        return [each["operation"] for each in answer.json()["requests"]]


@dataclass(frozen=True)
class Stage:
    """A server, and how to reach it."""

    name: str
    url: str
    token: str
    tokens: Mapping[str, str]

    def client(self, fault: Fault | None = None, **settings: Any) -> RemoteBrowserClient:
        url = self.url if fault is None else fault.url
        return RemoteBrowserClient(**{"url": url, "token": self.token, **settings})

    def fault(self, name: str) -> Fault:
        return Fault(f"{self.url}/~{name}~{uuid.uuid4().hex}")

    def label(self) -> str:
        """A label that no other test uses."""
        return f"python {os.getpid()} {next(_nonces)}"

    @property
    def has_state(self) -> bool:
        """Whether the server keeps state: Prism only returns examples."""
        return self.name != "mock"


@dataclass(frozen=True)
class ContractError:
    """An error of the contract, and how to provoke it on each stage."""

    name: str
    status: int
    kind: str
    provoke: Mapping[str, str]
    operation: str


@dataclass(frozen=True)
class Scenario:
    id: str
    stages: tuple[str, ...]
    error: ContractError | None


@dataclass(frozen=True)
class Plan:
    """The content of the file."""

    stages: tuple[Stage, ...]
    scenarios: tuple[Scenario, ...]
    report: Path

    def cases(self) -> list[tuple[Stage, Scenario]]:
        return [
            (stage, scenario)
            for stage in self.stages
            for scenario in self.scenarios
            if stage.name in scenario.stages
        ]


Carry = Callable[[Stage], None]


def read_plan() -> Plan | None:
    """The stages and scenarios; None if RBS_STAGE is not set."""
    file = os.environ.get("RBS_STAGE")
    if file is None:
        return None
    content = json.loads(Path(file).read_text())
    return Plan(
        stages=tuple(
            Stage(each["name"], each["url"], each["token"], each["tokens"])
            for each in content["stages"]
        ),
        scenarios=tuple(
            Scenario(each["id"], tuple(each["on"]), _read_error(each.get("error")))
            for each in content["scenarios"]
        ),
        report=Path(content["report"]),
    )


def _read_error(error: dict[str, Any] | None) -> ContractError | None:
    if error is None:
        return None
    operation = error.get("operation", "open")
    return ContractError(
        error["name"], error["status"], error["class"], error["provoke"], operation
    )
