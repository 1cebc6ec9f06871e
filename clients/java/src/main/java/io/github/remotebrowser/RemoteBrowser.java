package io.github.remotebrowser;

import jakarta.annotation.Nullable;

/** An open browser. Close it with try-with-resources. This class is thread-safe. */
public final class RemoteBrowser extends BrowserHandle implements AutoCloseable {
  private final String address;

  RemoteBrowser(Calls calls, String address, @Nullable String id) {
    super(calls, address, id);
    this.address = address;
  }

  /**
   * Returns the WebSocket URL of the browser's DevTools endpoint, for automation libraries. Treat
   * it as a secret: anyone who has it can control the browser.
   */
  public String address() {
    return address;
  }
}
