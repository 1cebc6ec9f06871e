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

/** An open browser. Try-with-resources closes it. May be used from several threads at once. */
public final class RemoteBrowser implements AutoCloseable {
  private static final Limit HURRY = new Limit(Duration.ofSeconds(10), "on an interrupted thread");

  private final Calls calls;
  private final String address;
  private volatile boolean hasEnded;

  RemoteBrowser(Calls calls, String address) {
    this.calls = calls;
    this.address = address;
  }

  /**
   * The WebSocket URL of the browser's DevTools endpoint, which automation libraries connect to. It
   * is a secret: whoever has it drives the browser.
   */
  public String address() {
    return address;
  }

  /**
   * Closes the browser. One that has ended already is no error; after a close that worked, nothing
   * more is sent. An interrupted thread closes it as well, within 10 seconds, and stays
   * interrupted.
   */
  @Override
  public void close() {
    if (hasEnded) return;
    boolean isInterrupted = Thread.interrupted();
    try {
      if (isInterrupted) calls.make(Operation.CLOSE, this::sendClose, HURRY);
      else calls.make(Operation.CLOSE, this::sendClose);
    } catch (BrowserNotFoundError ended) {
      // That is what was wanted.
    } finally {
      if (isInterrupted) Thread.currentThread().interrupt();
    }
    hasEnded = true;
  }

  /**
   * Starts the remote desktop of a browser with a screen; of one that is started, tells the same
   * again.
   */
  public Desktop startDesktop() {
    StartRemoteDesktopResult desktop =
        calls.make(
            Operation.START_DESKTOP,
            wire -> new RemoteDesktopApi(wire).startRemoteDesktop(reference()));
    return Answers.toDesktop(desktop);
  }

  /**
   * Stops the remote desktop: viewers are disconnected, and the passwords stop working. The browser
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
