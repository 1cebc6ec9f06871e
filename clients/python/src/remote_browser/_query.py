from __future__ import annotations

import json
from typing import Any

from pydantic import TypeAdapter, ValidationError

from remote_browser._failure import describe_misfit
from remote_browser._generated.core import QueryRequest, QueryResult
from remote_browser._service import Service
from remote_browser.errors import InvalidAnswerError


def query(service: Service, html: str, prompt: str, response_format: Any) -> Any:
    """Queries a language model about a document.

    Raises:
        InvalidAnswerError: If the value doesn't match the given type.
    """
    if response_format == "text":
        return service.query(_request(html, prompt, "text")).response
    if response_format == "json":
        return _value_of(service.query(_request(html, prompt, "json")))
    if isinstance(response_format, str):
        raise ValueError(  # noqa: TRY004 - the value is wrong, not its type
            f'response_format must be "text", "json" or a type, not {response_format!r}.'
        )
    adapter: TypeAdapter[Any] = TypeAdapter(response_format)
    schema = json.dumps(adapter.json_schema())
    result = service.query(_request(html, prompt, schema))
    # Validate JSON rather than Python values, because a date in JSON is a string.
    text = json.dumps(_value_of(result))
    try:
        return adapter.validate_json(text)
    except ValidationError as error:
        misfit = describe_misfit(error, service.token)
    raise InvalidAnswerError(f"The response's value is not of the given type: {misfit}.")


def _request(html: str, prompt: str, response_format: str) -> QueryRequest:
    return QueryRequest.model_construct(html=html, prompt=prompt, response_format=response_format)


def _value_of(result: QueryResult) -> Any:
    # A null value is valid.
    if "value" in result.model_fields_set:
        return result.value
    raise InvalidAnswerError("The response has no value, but this format requires one.")
