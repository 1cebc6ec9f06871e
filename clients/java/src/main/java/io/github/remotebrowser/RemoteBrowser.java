package io.github.remotebrowser;

import jakarta.annotation.Nullable;

/** An open browser. Close it with try-with-resources. It is thread-safe. */
public final class RemoteBrowser extends BrowserHandle implements AutoCloseable {
  private final String address;

  RemoteBrowser(Calls calls, String address, @Nullable String id) {
    super(calls, address, id);
    this.address = address;
  }

  /**
   * The WebSocket URL of the browser's DevTools endpoint, for automation libraries. Keep it secret:
   * it gives full control of the browser.
   */
  public String address() {
    return address;
  }
}
