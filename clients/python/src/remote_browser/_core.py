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

# Far more than any response in the contract, and far less than a machine's memory.
_LONGEST = 64 * 2**20
_PART = 2**16


class TransportError(Exception):
    """The connection failed or was lost."""

    def __init__(self, reason: str, is_tls: bool) -> None:
        super().__init__(reason)
        # Waiting doesn't help against a bad certificate or incompatible TLS versions.
        self.is_tls = is_tls


class Core(ApiClient):
    """The code from openapi-generator, with our connections and errors."""

    def __init__(self, settings: Settings) -> None:
        configuration = Configuration(host=settings.url, access_token=settings.token)
        # The transport must not retry, and must not follow redirects.
        configuration.retries = False
        proxy = configuration.proxy or ""
        is_direct = should_bypass_proxies(settings.url, configuration.no_proxy or "")
        if proxy and not proxy.lower().startswith(("http://", "https://")) and not is_direct:
            raise ValueError(
                "The environment's proxy is not supported: it is a SOCKS proxy, or a URL without "
                f"http:// or https://. Add {settings.place} to NO_PROXY, or set another proxy "
                "in HTTPS_PROXY or HTTP_PROXY."
            )
        super().__init__(configuration)
        watch(self.rest_client.pool_manager)
        self.user_agent = f"remote-browser-python/{__version__}"
        # Connections aren't reused, so the server needn't wait for another request.
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
        """Sends a request and reads the complete response.

        Raises:
            TransportError: When there is no complete response.
            InvalidAnswerError: When the response is longer than any in the contract.
            ApiError: When the response is an error.
        """
        # The attempt's timeout comes first; these apply to what the attempt can't interrupt.
        attempt = current_attempt()
        seconds = (min(attempt.connect_seconds, attempt.seconds) + 1, attempt.seconds + 1)
        try:
            answer = super().call_api(method, url, header_params, body, post_params, seconds)
            data = _read_whole(answer)
            answer.data = data  # type: ignore[assignment]
        except (HTTPError, OSError, ApiException) as error:
            # Keep the layers' own messages out of the traceback: they may quote the server.
            reason = excerpt(_reason_of(error), self._settings.token)
            problem = TransportError(reason, _is_tls(error))
        else:
            if 200 <= answer.status < 300:
                return answer
            raise read_failure(answer.status, answer.headers, data, self._settings)
        raise problem

    def response_deserialize(self, response_data: Any, response_types_map: Any = None) -> Any:
        """Reads a response of the form that the contract describes.

        Raises:
            InvalidAnswerError: When it has another form.
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
            f"The response (HTTP {response_data.status}) does not match the contract: {misfit}. "
            "Is there a Remote Browser Service at this url?"
        )


def _read_whole(answer: RESTResponse) -> bytes:
    """Reads and decompresses the body, with a size limit that the core doesn't have."""
    body = bytearray()
    for part in answer.response.stream(_PART):
        body += part
        if len(body) > _LONGEST:
            answer.response.close()
            raise InvalidAnswerError(
                "The response is longer than 64 MiB, so it isn't from the service."
            )
    return bytes(body)


def _reason_of(error: BaseException) -> str:
    """The message of the innermost cause, which is the system's own."""
    *_, innermost = _layers_of(error)
    is_cores = isinstance(innermost, ApiException)
    text = getattr(innermost, "reason", None) if is_cores else str(innermost)
    return str(text or type(innermost).__name__)


def _is_tls(error: BaseException) -> bool:
    # The core turns only these into one of its own errors.
    return any(
        isinstance(each, (ApiException, SSLError, ssl.SSLError)) for each in _layers_of(error)
    )


def _layers_of(error: BaseException | None) -> Iterator[BaseException]:
    """An error, followed by its causes."""
    while error is not None:
        yield error
        # urllib3 passes what ended a connection only as an argument.
        among = (each for each in error.args if isinstance(each, BaseException))
        error = error.__cause__ or next(among, None)
