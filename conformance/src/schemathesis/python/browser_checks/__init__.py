"""Hooks around each request of Schemathesis, and the suite's own check."""

from __future__ import annotations

from typing import Any

import schemathesis
from schemathesis import Case, CheckContext, HookContext, Response
from schemathesis.core import NOT_SET
from schemathesis.core.failures import AcceptedNegativeData, Failure
from schemathesis.openapi.checks import RejectedPositiveData

from .lifecycle import GET, OPEN, Lifecycle
from .notes import Notes
from .safe_open import REFUSED_OPEN, REFUSED_QUERY, make_open_safe
from .service import Service
from .settings import read_settings

QUERY = "POST /api/v1/ai/Query"
HISTORY = "POST /api/v1/Browser/History"
JSON = "application/json"
# The share of the browsers that may be opened by the end of each phase, so that the first phases don't use them all.
SHARES = {"examples": 0.2, "coverage": 0.45, "fuzzing": 0.6, "stateful": 1.0}

settings = read_settings()
notes = Notes(settings.notes)
service = Service(settings)
lifecycle = Lifecycle(service, notes, settings.at_once)
# Complaints that the check has not reported yet, by case id: what was expected, and what was seen.
complaints: dict[str, tuple[str, str]] = {}
spent = {OPEN: 0, QUERY: 0}
# Cases whose valid body was replaced with an invalid one.
replaced: set[str] = set()


@schemathesis.hook
def before_call(_context: HookContext, case: Case[Any], _kwargs: dict[str, Any]) -> None:
    service.wait_for_turn()
    if not _is_as_declared(case):
        return
    is_valid = case.meta is not None and case.meta.generation.mode.is_positive
    if case.operation.label == OPEN:
        if case.body is NOT_SET:
            case.media_type = JSON
            case.body = {}
        case.body = make_open_safe(case.body, settings.label)
        lifecycle.make_place()
        if is_valid and spent[OPEN] >= settings.opens * SHARES[_phase(case)]:
            _replace_body(case, {**REFUSED_OPEN, "Label": settings.label})
    if case.operation.label == HISTORY and case.body is None:
        # As for Open: servers may accept null, though the contract does not say so.
        case.body = []
    if case.operation.label == QUERY and is_valid:
        if spent[QUERY] >= settings.queries:
            _replace_body(case, {**REFUSED_QUERY})
        spent[QUERY] += 1


@schemathesis.hook
def filter_failure(_context: HookContext, failure: Failure, case: Case[Any], _response: Response) -> bool:
    return not (case.id in replaced and isinstance(failure, (RejectedPositiveData, AcceptedNegativeData)))


@schemathesis.hook
def after_call(_context: HookContext, case: Case[Any], response: Response) -> None:
    address = _json(response).get("address")
    service.exchanges()
    complaint = None
    if case.operation.label == OPEN and isinstance(address, str) and address not in settings.foreign:
        if "Idempotency-Key" in (case.headers or {}) and lifecycle.knows(address):
            # A repeated key returns the address again, even after the browser was closed.
            return
        notes.opened(address)
        spent[OPEN] += 1
        options = case.body if isinstance(case.body, dict) else {}
        complaint = lifecycle.opened(address, options, _phase(case) == "stateful")
    elif _is_as_declared(case) and response.status_code < 500:
        if case.operation.label == GET:
            complaint = lifecycle.listed(_json(response).get("sessions"))
        elif isinstance(case.body, dict):
            complaint = lifecycle.answered(case.operation.label, str(case.body.get("address")), response.status_code)
    if complaint is not None:
        complaints[case.id] = complaint
        notes.complaint(case.id, *complaint, service.exchanges())


@schemathesis.check
def what_open_opened(_ctx: CheckContext, _response: Response, case: Case[Any]) -> None:
    complaint = complaints.pop(case.id, None)
    if complaint is not None:
        expected, seen = complaint
        raise AssertionError(f"expected {expected}, seen {seen}")


def _replace_body(case: Case[Any], body: dict[str, Any]) -> None:
    replaced.add(case.id)
    case.body = body


def _is_as_declared(case: Case[Any]) -> bool:
    """Whether the request uses the operation's method. Some requests intentionally use another method."""
    return str(case.method).upper() == str(case.operation.method).upper()


def _phase(case: Case[Any]) -> str:
    return "stateful" if case.meta is None else case.meta.phase.name.value


def _json(response: Response) -> dict[str, Any]:
    try:
        body = response.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}
