from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True)
class Session:
    """One open browser of the account."""

    started_on: datetime
    """When the browser was opened, in UTC."""

    label: str | None
    """The label given at Open; `None` when there was none."""

    address: str = field(repr=False)
    """The browser's address, as Open returned it: a secret."""

    vncpass: str | None = field(repr=False)
    """The password for full use of the browser's desktop; `None` while that is stopped."""
