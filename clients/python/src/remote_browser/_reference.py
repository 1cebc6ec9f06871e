from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Reference:
    """A browser's address, its id, or both."""

    address: str | None
    id: str | None

    def by_address(self) -> dict[str, str]:
        """Prefers the address, which services of every contract version accept."""
        return _members(address=self.address) or _members(id=self.id)

    def by_id(self) -> dict[str, str]:
        """Prefers the id, which also refers to a browser that has ended."""
        return _members(id=self.id) or _members(address=self.address)


def _members(**members: str | None) -> dict[str, str]:
    return {name: value for name, value in members.items() if value is not None}
