package io.github.remotebrowser;

import io.github.remotebrowser.contract.BrowserNotFoundError;
import io.github.remotebrowser.contract.BrowserRecord;
import io.github.remotebrowser.contract.BrowserReference;
import io.github.remotebrowser.contract.CloseResult;
import io.github.remotebrowser.contract.Desktop;
import io.github.remotebrowser.contract.Screenshot;
import io.github.remotebrowser.contract.StartRemoteDesktopResult;
import io.github.remotebrowser.contract.UpdateOptions;
import io.github.remotebrowser.contract.UpdateRequest;
import io.github.remotebrowser.core.ApiException;
import io.github.remotebrowser.core.BrowserApi;
import io.github.remotebrowser.core.RemoteDesktopApi;
import jakarta.annotation.Nullable;
import java.time.Duration;

/** A browser, with everything that needs no DevTools connection. It is thread-safe. */
public sealed class BrowserHandle permits RemoteBrowser {
  private static final Limit INTERRUPTED_LIMIT =
      new Limit(Duration.ofSeconds(10), "on an interrupted thread");

  private final Calls calls;
  private final @Nullable String address;
  private final @Nullable String id;
  private volatile boolean hasEnded;

  /** At least one of address and id is given. */
  BrowserHandle(Calls calls, @Nullable String address, @Nullable String id) {
    this.calls = calls;
    this.address = address;
    this.id = id;
  }

  /**
   * Identifies the browser in the history, in logs and in questions to the operator. It is not a
   * secret. It is null if the handle was created from an address, or if the service has contract
   * version 1.0.
   */
  public @Nullable String id() {
    return id;
  }

  /**
   * Closes the browser. It succeeds if the browser has already ended. After a successful close,
   * another one sends nothing. It also works on an interrupted thread, which stays interrupted; it
   * then takes up to 10 seconds.
   */
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
   * Returns the browser's record, even after it has ended: its state, why it ended, and what it has
   * consumed.
   *
   * @throws BrowserNotFoundError when the service doesn't keep the record of the ended browser any
   *     more
   * @throws io.github.remotebrowser.contract.NotFoundError when the service has contract version
   *     1.0, as all methods for later versions
   */
  public BrowserRecord info() {
    return calls.make(Operation.INFO, wire -> new BrowserApi(wire).getBrowserInfo(byId()));
  }

  /**
   * Changes the inactivity period, the lifetime (both in seconds), the label or the tags of the
   * open browser. It needs contract version 1.1.
   *
   * @return the record with the new values
   * @throws BrowserNotFoundError when the browser has ended
   */
  public BrowserRecord update(UpdateOptions changes) {
    Settings.requireGiven(changes, "changes is null: pass new UpdateOptions() with new values.");
    BrowserReference reference = byId();
    UpdateRequest request =
        Json.WIRE
            .convertValue(changes, UpdateRequest.class)
            .address(reference.getAddress())
            .id(reference.getId());
    return calls.make(Operation.UPDATE, wire -> new BrowserApi(wire).updateBrowser(request));
  }

  /**
   * Waits until the browser has ended, for whatever reason. It needs contract version 1.1, but no
   * DevTools connection, and doesn't keep the browser open.
   *
   * @return the reason, such as {@code requested}, {@code inactive}, {@code lifetime} or {@code
   *     crashed}. Later versions may add values
   * @throws BrowserNotFoundError when the service doesn't keep the record of the ended browser any
   *     more
   */
  public String awaitClosed() {
    return new Waiting(calls, byId()).await(null);
  }

  /**
   * Waits until the browser has ended, but not longer than a timeout. See {@link #awaitClosed()}.
   *
   * @throws TimeoutError when the browser is still open after the timeout
   */
  public String awaitClosed(Duration timeout) {
    Settings.requireGiven(timeout, "timeout is null: pass a Duration, or call awaitClosed().");
    return new Waiting(calls, byId()).await(timeout);
  }

  /**
   * Takes a picture of what the open browser shows now: the whole screen of a browser with a
   * graphical interface, and the visible part of the front page of a headless one. Its pages and
   * clients don't notice it. It needs contract version 1.1.
   *
   * @throws BrowserNotFoundError when the browser has ended
   * @throws io.github.remotebrowser.contract.BrowserUnavailableError when no picture can be taken,
   *     for example because the browser shows no page
   */
  public Screenshot screenshot() {
    return calls.make(Operation.SCREENSHOT, wire -> new BrowserApi(wire).takeScreenshot(byId()));
  }

  /**
   * Starts the remote desktop of a browser with a screen. If it is already running, the URLs and
   * passwords stay the same.
   */
  public Desktop startDesktop() {
    StartRemoteDesktopResult desktop =
        calls.make(
            Operation.START_DESKTOP,
            wire -> new RemoteDesktopApi(wire).startRemoteDesktop(byAddress()));
    return Answers.toDesktop(desktop);
  }

  /**
   * Stops the remote desktop, which disconnects viewers and invalidates the passwords. The browser
   * stays open.
   */
  public void stopDesktop() {
    calls.make(
        Operation.STOP_DESKTOP, wire -> new RemoteDesktopApi(wire).stopRemoteDesktop(byAddress()));
  }

  /** Without the address, which is a secret. */
  @Override
  public String toString() {
    return getClass().getSimpleName() + "[id=" + id + "]";
  }

  Secrets secrets() {
    return calls.secrets();
  }

  private CloseResult sendClose(Wire wire) throws ApiException {
    return new BrowserApi(wire).closeBrowser(byAddress());
  }

  /** Services of every version know addresses. */
  private BrowserReference byAddress() {
    BrowserReference reference = new BrowserReference();
    return address == null ? reference.id(id) : reference.address(address);
  }

  /** An id also refers to a browser that has ended. */
  private BrowserReference byId() {
    BrowserReference reference = new BrowserReference();
    return id == null ? reference.address(address) : reference.id(id);
  }
}
