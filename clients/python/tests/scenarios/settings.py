from __future__ import annotations

import pytest
from scenarios.stage import Stage

from remote_browser import RemoteBrowserClient


def environment(stage: Stage) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RBS_URL", stage.url)
        patch.setenv("RBS_TOKEN", stage.token)
        RemoteBrowserClient().list()


def no_token(stage: Stage) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("RBS_TOKEN", raising=False)
        with pytest.raises(ValueError, match="RBS_TOKEN"):
            RemoteBrowserClient(stage.url)
