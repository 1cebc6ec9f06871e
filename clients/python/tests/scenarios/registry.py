"""The implementations of the scenarios that all languages share, by id."""

from __future__ import annotations

from scenarios import lifecycle, questions, records, refusals, repeats, screens, settings
from scenarios.drive import drive
from scenarios.readme import readme
from scenarios.secrets import secrets
from scenarios.stage import Carry, Scenario, Stage

SCENARIOS: dict[str, Carry] = {
    "lifecycle": lifecycle.lifecycle,
    "close-ended": lifecycle.close_ended,
    "closes-itself": lifecycle.closes_itself,
    "options": lifecycle.options,
    "screen": screens.screen,
    "wait-for-place": screens.wait_for_place,
    "screenshot": screens.screenshot,
    "keep-open": lifecycle.keep_open,
    "attach": lifecycle.attach,
    "desktop": lifecycle.desktop,
    "tags": records.tags,
    "info": records.info,
    "closed": records.closed,
    "update": records.update,
    "history": records.history,
    "close-all": records.close_all,
    "account": records.account,
    "session-methods": records.session_methods,
    "query-text": questions.query_text,
    "query-json": questions.query_json,
    "query-typed": questions.query_typed,
    "query-number": questions.query_number,
    "query-misfit": questions.query_misfit,
    "query-no-value": questions.query_no_value,
    "error.new": refusals.error_new,
    "error.thin": refusals.error_thin,
    "error.not-ours": refusals.error_not_ours,
    "answer.not-json": refusals.answer_not_json,
    "answer.new-members": refusals.answer_new_members,
    "answer.first-version": refusals.answer_first_version,
    "retry.when-told": repeats.when_told,
    "retry.rate": repeats.rate,
    "retry.bounded": repeats.bounded,
    "retry.not-installed": repeats.not_installed,
    "retry.open-again": repeats.open_again,
    "retry.open-key": repeats.open_key,
    "retry.open-once": repeats.open_once,
    "retry.query-once": questions.query_once,
    "retry.list-again": repeats.list_again,
    "retry.close-again": repeats.close_again,
    "retry.update-again": repeats.update_again,
    "connection.refused": repeats.refused,
    "timeout.answer": repeats.late_answer,
    "timeout.body": repeats.late_body,
    "timeout.total": repeats.total,
    "settings.environment": settings.environment,
    "settings.no-token": settings.no_token,
    "secrets": secrets,
    "drive": drive,
    "readme": readme,
}


def carry_out(stage: Stage, scenario: Scenario) -> None:
    if scenario.error is not None:
        refusals.error_of_the_contract(stage, scenario.error)
        return
    carry = SCENARIOS.get(scenario.id)
    assert carry is not None, f"The Python client has no scenario {scenario.id}."
    carry(stage)
