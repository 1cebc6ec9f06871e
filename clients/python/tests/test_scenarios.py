"""One test for each scenario on each stage: `npm run clients -- python`."""

from __future__ import annotations

import json
from typing import Any

import pytest
from scenarios.registry import carry_out
from scenarios.stage import Scenario, Stage, read_plan

PLAN = read_plan()


@pytest.mark.skipif(PLAN is None, reason="npm run clients runs these")
@pytest.mark.parametrize(
    ("stage", "scenario"),
    [
        pytest.param(stage, scenario, id=f"{stage.name}: {scenario.id}")
        for stage, scenario in (PLAN.cases() if PLAN is not None else [])
    ],
)
def test_scenario(stage: Stage, scenario: Scenario) -> None:
    outcome = "failed"
    try:
        carry_out(stage, scenario)
        outcome = "passed"
    finally:
        report({"stage": stage.name, "id": scenario.id, "outcome": outcome})


def report(line: dict[str, Any]) -> None:
    assert PLAN is not None
    with PLAN.report.open("a") as file:
        file.write(json.dumps({"language": "python", **line}) + "\n")
