from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any, TypeVar

from remote_browser import _generated as core
from remote_browser._generated.answers import BrowserRecord
from remote_browser._service import Service

T = TypeVar("T")


def to_answer(kind: type[T], model: Any, **more: Any) -> T:
    """Converts a model of the core to the dataclass for users, which has the same names."""
    known = type(model).model_fields
    names = [each.name for each in fields(kind) if each.name in known]  # type: ignore[arg-type]
    return kind(**{name: getattr(model, name) for name in names}, **more)


def read_history(service: Service, request: core.HistoryRequest) -> Iterator[BrowserRecord]:
    """Requests the parts of the history, one after the other."""
    while True:
        part = service.history(request)
        for record in part.browsers:
            yield to_answer(BrowserRecord, record)
        if part.next is None:
            return
        request = request.model_copy(update={"cursor": part.next})
