"""A client for the checks, and for closing browsers."""

from __future__ import annotations

import json
import time
from typing import Any

import requests

from .settings import Settings

GET = ("GET", "/api/v1/Browser/Get")
CLOSE = ("POST", "/api/v1/Browser/Close")
TIMEOUT_S = 60
TRIES = 4
# Maximum Retry-After that the client follows.
MAX_RETRY_AFTER_S = 65


class Service:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._session = requests.Session()
        # Otherwise requests would prefer credentials in ~/.netrc to the token.
        self._session.auth = self._authorize
        self._next_at = 0.0
        # Exchanges since the last call of `exchanges`.
        self._exchanges: list[dict[str, Any]] = []

    def listed(self) -> dict[str, dict[str, Any]] | None:
        """Returns the browsers in Get's list by address, or None if the response is not a list."""
        _, body = self._call(GET)
        sessions = body.get("sessions")
        if not isinstance(sessions, list):
            return None
        return {str(each.get("address")): each for each in sessions if isinstance(each, dict)}

    def close(self, address: str) -> int:
        status, _ = self._call(CLOSE, {"address": address})
        return status

    def exchanges(self) -> list[dict[str, Any]]:
        taken, self._exchanges = self._exchanges, []
        return taken

    def wait_for_turn(self) -> None:
        """Waits until the rate limit allows another request."""
        now = time.monotonic()
        time.sleep(max(0.0, self._next_at - now))
        self._next_at = max(now, self._next_at) + self._settings.pause

    def _call(self, operation: tuple[str, str], body: dict[str, str] | None = None) -> tuple[int, dict[str, Any]]:
        response = self._send(operation, body)
        for _ in range(TRIES - 1):
            wait = response.headers.get("Retry-After", "")
            if response.status_code != 429 or not wait.isdigit() or int(wait) > MAX_RETRY_AFTER_S:
                break
            time.sleep(int(wait))
            response = self._send(operation, body)
        try:
            answer = response.json()
        except ValueError:
            answer = None
        return response.status_code, answer if isinstance(answer, dict) else {}

    def _send(self, operation: tuple[str, str], body: dict[str, str] | None) -> requests.Response:
        self.wait_for_turn()
        method, path = operation
        url = self._settings.base_url + path
        response = self._session.request(method, url, json=body, timeout=TIMEOUT_S)
        self._exchanges.append(
            {
                "method": method,
                "url": url,
                "sent": None if body is None else json.dumps(body),
                "status": response.status_code,
                "headers": {name.lower(): value for name, value in response.headers.items()},
                "received": response.text,
            }
        )
        return response

    def _authorize(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = f"Bearer {self._settings.token}"
        return request
