package io.github.remotebrowser;

import io.github.remotebrowser.contract.BrowserNotFoundError;
import io.github.remotebrowser.contract.BrowserReference;
import io.github.remotebrowser.contract.CloseResult;
import io.github.remotebrowser.contract.Desktop;
import io.github.remotebrowser.contract.StartRemoteDesktopResult;
import io.github.remotebrowser.core.ApiException;
import io.github.remotebrowser.core.BrowserApi;
import io.github.remotebrowser.core.RemoteDesktopApi;
import java.time.Duration;

/** An open browser. Close it with try-with-resources. It is thread-safe. */
public final class RemoteBrowser implements AutoCloseable {
  private static final Limit INTERRUPTED_LIMIT =
      new Limit(Duration.ofSeconds(10), "on an interrupted thread");

  private final Calls calls;
  private final String address;
  private volatile boolean hasEnded;

  RemoteBrowser(Calls calls, String address) {
    this.calls = calls;
    this.address = address;
  }

  /**
   * The WebSocket URL of the browser's DevTools endpoint, for automation libraries. Keep it secret:
   * it gives full control of the browser.
   */
  public String address() {
    return address;
  }

  /**
   * Closes the browser. It succeeds if the browser has already ended. After a successful close,
   * another one sends nothing. It also works on an interrupted thread, which stays interrupted; it
   * then takes up to 10 seconds.
   */
  @Override
  public void close() {
    if (hasEnded) return;
    boolean isInterrupted = Thread.interrupted();
    try {
      if (isInterrupted) calls.make(Operation.CLOSE, this::sendClose, INTERRUPTED_LIMIT);
      else calls.make(Operation.CLOSE, this::sendClose);
    } catch (BrowserNotFoundError ended) {
      // The browser has already ended.
    } finally {
      if (isInterrupted) Thread.currentThread().interrupt();
    }
    hasEnded = true;
  }

  /**
   * Starts the remote desktop of a browser with a screen. If it is already running, the URLs and
   * passwords stay the same.
   */
  public Desktop startDesktop() {
    StartRemoteDesktopResult desktop =
        calls.make(
            Operation.START_DESKTOP,
            wire -> new RemoteDesktopApi(wire).startRemoteDesktop(reference()));
    return Answers.toDesktop(desktop);
  }

  /**
   * Stops the remote desktop, which disconnects viewers and invalidates the passwords. The browser
   * stays open.
   */
  public void stopDesktop() {
    calls.make(
        Operation.STOP_DESKTOP, wire -> new RemoteDesktopApi(wire).stopRemoteDesktop(reference()));
  }

  /** Without the address, which is a secret. */
  @Override
  public String toString() {
    return "RemoteBrowser";
  }

  Secrets secrets() {
    return calls.secrets();
  }

  private CloseResult sendClose(Wire wire) throws ApiException {
    return new BrowserApi(wire).closeBrowser(reference());
  }

  private BrowserReference reference() {
    return new BrowserReference().address(address);
  }
}
