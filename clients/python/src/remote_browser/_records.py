from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from dataclasses import fields
from typing import Any, TypeVar

from remote_browser._generated import core
from remote_browser._generated.answers import BrowserRecord, Screenshot
from remote_browser._service import Service
from remote_browser.errors import InvalidAnswerError

T = TypeVar("T")


def to_answer(kind: type[T], model: Any, **more: Any) -> T:
    """Converts a model of the core to a public dataclass with the same field names."""
    known = type(model).model_fields
    names = [each.name for each in fields(kind) if each.name in known]  # type: ignore[arg-type]
    return kind(**{name: getattr(model, name) for name in names}, **more)


def to_screenshot(model: core.Screenshot) -> Screenshot:
    """Decodes the picture.

    Raises:
        InvalidAnswerError: If it is not Base64.
    """
    try:
        return Screenshot(type=model.type, image=base64.b64decode(model.image, validate=True))
    except (binascii.Error, ValueError):
        pass
    # Don't chain the original error: it may quote the picture.
    raise InvalidAnswerError(
        "The response does not match the contract: its image is not valid Base64."
    )


def read_history(service: Service, request: core.HistoryRequest) -> Iterator[BrowserRecord]:
    """Requests the history page by page."""
    while True:
        page = service.history(request)
        for record in page.browsers:
            yield to_answer(BrowserRecord, record)
        if page.next is None:
            return
        request = request.model_copy(update={"cursor": page.next})
