from __future__ import annotations

import ssl
from collections.abc import Iterator
from typing import Any

from urllib3.exceptions import HTTPError, SSLError

from remote_browser._attempt import current_attempt
from remote_browser._connection import watch
from remote_browser._failure import describe_misfit, read_failure
from remote_browser._generated import ApiClient, ApiException, ApiResponse, Configuration
from remote_browser._generated.exceptions import OpenApiException
from remote_browser._generated.rest import RESTResponse, should_bypass_proxies
from remote_browser._redact import excerpt
from remote_browser._settings import Settings
from remote_browser._version import __version__
from remote_browser.errors import InvalidAnswerError

# Far beyond every answer of the contract, and far below what fills a machine's memory.
_LONGEST = 64 * 2**20
_PART = 2**16


class TransportError(Exception):
    """The connection could not be made, or was lost."""

    def __init__(self, reason: str, is_tls: bool) -> None:
        super().__init__(reason)
        # A certificate, or what the two ends have in common, does not mend by waiting.
        self.is_tls = is_tls


class Core(ApiClient):
    """What openapi-generator wrote, with our connections and errors."""

    def __init__(self, settings: Settings) -> None:
        configuration = Configuration(host=settings.url, access_token=settings.token)
        # Repeats and redirects are not the transport's to decide.
        configuration.retries = False
        proxy = configuration.proxy or ""
        is_direct = should_bypass_proxies(settings.url, configuration.no_proxy or "")
        if proxy and not proxy.lower().startswith(("http://", "https://")) and not is_direct:
            raise ValueError(
                "The environment names a SOCKS proxy, or one without http:// or https://, through "
                f"which this client cannot go: name {settings.place} in NO_PROXY, or another proxy "
                "in HTTPS_PROXY or HTTP_PROXY."
            )
        super().__init__(configuration)
        watch(self.rest_client.pool_manager)
        self.user_agent = f"remote-browser-python/{__version__}"
        # None is kept, so that the server need not wait for another request.
        self.default_headers["Connection"] = "close"
        self._settings = settings
        for name, value in settings.headers.items():
            self.default_headers[name] = value

    def call_api(
        self,
        method: Any,
        url: Any,
        header_params: Any = None,
        body: Any = None,
        post_params: Any = None,
        _request_timeout: Any = None,
    ) -> RESTResponse:
        """Sends a request and reads its answer to the end.

        Raises:
            TransportError: When there is none.
            InvalidAnswerError: When it is longer than any of the contract.
            ApiError: When it is a refusal.
        """
        # The attempt ends it earlier; these end what even the attempt cannot reach.
        attempt = current_attempt()
        seconds = (min(attempt.connect_seconds, attempt.seconds) + 1, attempt.seconds + 1)
        try:
            answer = super().call_api(method, url, header_params, body, post_params, seconds)
            data = _read_whole(answer)
            answer.data = data  # type: ignore[assignment]
        except (HTTPError, OSError, ApiException) as error:
            # The layers' own words stay out of the traceback: a server's may stand in them.
            reason = excerpt(_reason_of(error), self._settings.token)
            problem = TransportError(reason, _is_tls(error))
        else:
            if 200 <= answer.status < 300:
                return answer
            raise read_failure(answer.status, answer.headers, data, self._settings)
        raise problem

    def response_deserialize(self, response_data: Any, response_types_map: Any = None) -> Any:
        """Reads an answer as the contract describes it.

        Raises:
            InvalidAnswerError: When it is something else.
        """
        try:
            answer: ApiResponse[Any] = super().response_deserialize(
                response_data, response_types_map
            )
        except (ValueError, TypeError, LookupError, RecursionError, OpenApiException) as error:
            misfit = describe_misfit(error, self._settings.token)
        else:
            if answer.data is not None:
                return answer
            misfit = "it is empty"
        raise InvalidAnswerError(
            f"The answer (HTTP {response_data.status}) is not what the contract says: {misfit}. "
            "Is there a Remote Browser Service at this url?"
        )


def _read_whole(answer: RESTResponse) -> bytes:
    """The body, unpacked, which the core would read without any bound."""
    body = bytearray()
    for part in answer.response.stream(_PART):
        body += part
        if len(body) > _LONGEST:
            answer.response.close()
            raise InvalidAnswerError("The answer is longer than 64 MiB: none of the service's is.")
    return bytes(body)


def _reason_of(error: BaseException) -> str:
    """The innermost cause, in words: what the system said, not what each layer made of it."""
    *_, innermost = _layers_of(error)
    is_cores = isinstance(innermost, ApiException)
    text = getattr(innermost, "reason", None) if is_cores else str(innermost)
    return str(text or type(innermost).__name__)


def _is_tls(error: BaseException) -> bool:
    # The core makes one of its own errors of those, and of nothing else.
    return any(
        isinstance(each, (ApiException, SSLError, ssl.SSLError)) for each in _layers_of(error)
    )


def _layers_of(error: BaseException | None) -> Iterator[BaseException]:
    """An error, and what it was made of."""
    while error is not None:
        yield error
        # urllib3 names what ended a connection among the arguments only.
        among = (each for each in error.args if isinstance(each, BaseException))
        error = error.__cause__ or next(among, None)
