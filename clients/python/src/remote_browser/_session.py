from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True)
class Session:
    """One open browser of the account."""

    started_on: datetime
    """When the browser was opened, in UTC."""

    label: str | None
    """The label from Open; `None` when the browser has no label."""

    address: str = field(repr=False)
    """The browser's address, as Open returned it. Keep it secret."""

    vncpass: str | None = field(repr=False)
    """The password for full access to the browser's desktop; `None` while it is stopped."""
