package io.github.remotebrowser;

import jakarta.annotation.Nullable;

/** The server or a browser could not be reached, or the connection was lost. */
public final class ConnectionError extends RemoteBrowserError {
  private static final long serialVersionUID = 1L;

  /** How far it got, which decides about repeating. */
  enum Stage {
    /** No connection was made, so nothing was sent. */
    UNREACHED,
    /** No trust in it, which does not come by waiting; nothing was sent. */
    INSECURE,
    /** The server may have carried out the call. */
    LOST
  }

  private final Stage stage;

  ConnectionError(Stage stage, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.stage = stage;
  }

  /**
   * For helpers of automation libraries: a library could not connect to a browser. The library's
   * words are kept, without the browser's address.
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
