from __future__ import annotations

import json
import re
import ssl
from collections.abc import Iterator
from datetime import datetime
from typing import Any, TypeVar, cast

from pydantic import BaseModel
from urllib3 import BaseHTTPResponse, Timeout
from urllib3.exceptions import HTTPError, SSLError

from remote_browser._attempt import current_attempt
from remote_browser._connection import watch
from remote_browser._failure import describe_misfit, read_failure
from remote_browser._generated.core import Route
from remote_browser._proxy import connect_pools
from remote_browser._redact import excerpt
from remote_browser._settings import Settings
from remote_browser._version import __version__
from remote_browser.errors import InvalidAnswerError

Answer = TypeVar("Answer")

# Far above the size of any response in the contract, and far below a machine's memory.
_LONGEST = 64 * 2**20
_PART = 2**16


class TransportError(Exception):
    """The connection failed or was lost."""

    def __init__(self, reason: str, is_tls: bool) -> None:
        super().__init__(reason)
        # After a TLS failure, a retry would fail in the same way.
        self.is_tls = is_tls


class Core:
    """Sends requests, and reads responses with the generated models."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._pools = connect_pools(settings)
        watch(self._pools)

    def send(
        self,
        route: Route[Answer],
        request: BaseModel | None = None,
        key: str | None = None,
        query: dict[str, str] | None = None,
    ) -> Answer:
        """Sends a request and reads the complete response.

        Args:
            route: The operation.
            request: The body. The service checks lengths and ranges, with better messages.
            key: The Idempotency-Key.
            query: The query of a GET request.

        Raises:
            TransportError: If there is no complete response.
            InvalidAnswerError: If the response doesn't match the contract, or is larger than any
                response in the contract.
            ApiError: If the response is an error.
        """
        # Longer than the attempt's timeouts, for steps that the attempt can't interrupt.
        attempt = current_attempt()
        longest = min(attempt.connect_seconds, attempt.seconds) + 1
        try:
            answer = self._pools.request(
                route.method,
                self._settings.url + route.path,
                body=None if request is None else _write(request),
                fields=query,
                headers=self._headers(route, request is not None, key),
                timeout=Timeout(connect=longest, read=attempt.seconds + 1),
                preload_content=False,
            )
            data = _read_whole(answer)
        except (HTTPError, OSError) as error:
            # Don't chain the original error: its message may quote the server.
            reason = excerpt(_reason_of(error), self._settings.token)
            problem = TransportError(reason, _is_tls(error))
        else:
            if 200 <= answer.status < 300:
                return self._read(route, answer, data)
            raise read_failure(answer.status, answer.headers, data, self._settings)
        raise problem

    def close_connections(self) -> None:
        self._pools.clear()

    def _headers(self, route: Route[Any], has_body: bool, key: str | None) -> dict[str, str]:
        # Errors are JSON.
        accepted = dict.fromkeys([route.media_types, "application/json"])
        return {
            "Accept": ", ".join(accepted),
            **({"Content-Type": "application/json"} if has_body else {}),
            **({} if key is None else {"Idempotency-Key": key}),
            "User-Agent": f"remote-browser-python/{__version__}",
            # Connections aren't reused.
            "Connection": "close",
            **self._settings.headers,
            "Authorization": f"Bearer {self._settings.token}",
        }

    def _read(self, route: Route[Answer], answer: BaseHTTPResponse, data: bytes) -> Answer:
        # Either bytes or a subclass of BaseModel.
        kind: Any = route.answer
        content_type = answer.headers.get("Content-Type", "")
        try:
            if kind is bytes:
                if content_type.split(";")[0].lower() in route.media_types.split(", "):
                    return cast(Answer, data)
                misfit = f"it is not {route.media_types}"
            else:
                members = _parse(content_type or None, data)
                if members is not None:
                    return cast(Answer, kind.model_validate(members))
                misfit = "it is empty"
        except (ValueError, TypeError, LookupError, RecursionError) as error:
            misfit = describe_misfit(error, self._settings.token)
        raise InvalidAnswerError(
            f"The response (HTTP {answer.status}) does not match the contract: {misfit}. "
            "Is there a Remote Browser Service at this url?"
        )


def _write(request: BaseModel) -> str:
    """Writes all given members, including None."""
    members = request.model_dump(by_alias=True, exclude_unset=True)
    return json.dumps(members, default=datetime.isoformat)


def _parse(content_type: str | None, data: bytes) -> Any:
    """Reads JSON in the encoding that the response names.

    Raises:
        ValueError, LookupError: If the text isn't JSON, or has an unknown encoding.
    """
    kind = content_type or "application/json"
    if re.match(r"application/([\w!#$&.+\-^]+\+)?json\s*(;|$)", kind, re.IGNORECASE) is None:
        raise ValueError("It is not JSON.")
    encoding = re.search(r"charset=([a-zA-Z\-\d]+)", kind)
    return json.loads(data.decode(encoding.group(1) if encoding else "utf-8"))


def _read_whole(answer: BaseHTTPResponse) -> bytes:
    """Reads and decompresses the body, up to a limit."""
    body = bytearray()
    for part in answer.stream(_PART):
        body += part
        if len(body) > _LONGEST:
            answer.close()
            raise InvalidAnswerError(
                "The response is longer than 64 MiB, so it isn't from the service."
            )
    return bytes(body)


def _reason_of(error: BaseException) -> str:
    """Returns the message of the innermost cause, which comes from the system."""
    *_, innermost = _layers_of(error)
    return str(innermost) or type(innermost).__name__


def _is_tls(error: BaseException) -> bool:
    return any(isinstance(each, (SSLError, ssl.SSLError)) for each in _layers_of(error))


def _layers_of(error: BaseException | None) -> Iterator[BaseException]:
    """Iterates over an error and its causes."""
    while error is not None:
        yield error
        # urllib3 passes some causes only as an argument.
        among = (each for each in error.args if isinstance(each, BaseException))
        error = error.__cause__ or next(among, None)
