# flake8: noqa

# import apis into api package
from remote_browser._generated.api.account_api import AccountApi
from remote_browser._generated.api.ai_api import AiApi
from remote_browser._generated.api.browser_api import BrowserApi
from remote_browser._generated.api.remote_desktop_api import RemoteDesktopApi

