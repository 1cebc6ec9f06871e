package io.github.remotebrowser;

import jakarta.annotation.Nullable;

/** The connection to the service or to a browser failed or was lost. */
public final class ConnectionError extends RemoteBrowserError {
  private static final long serialVersionUID = 1L;

  /** How far the request got, which decides whether it may be retried. */
  enum Stage {
    /** The connection failed, so nothing was sent. */
    UNREACHED,
    /** TLS failed, so nothing was sent. A retry would fail in the same way. */
    INSECURE,
    /** The connection was lost. The service may have carried out the call. */
    LOST
  }

  private final Stage stage;

  ConnectionError(Stage stage, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.stage = stage;
  }

  /**
   * Returns the error for an automation library that could not connect to a browser. Its message
   * quotes the library's, without the browser's address. Intended for helpers such as {@link
   * io.github.remotebrowser.playwright.PlaywrightBrowsers}.
   */
  public static ConnectionError toBrowser(RemoteBrowser browser, Throwable failure) {
    String reason = browser.secrets().hide(String.valueOf(failure.getMessage())).strip();
    return new ConnectionError(
        Stage.UNREACHED,
        "Could not connect to the browser. Is it still open? " + reason,
        browser.secrets().hide(failure));
  }

  Stage stage() {
    return stage;
  }
}
