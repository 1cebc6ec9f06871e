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
import io.github.remotebrowser.core.BrowserApi;
import io.github.remotebrowser.core.RemoteDesktopApi;
import io.github.remotebrowser.core.Sender;
import jakarta.annotation.Nullable;
import java.time.Duration;
import java.util.function.Function;

/** Controls a browser without a DevTools connection. This class is thread-safe. */
public sealed class BrowserHandle permits RemoteBrowser {
  private static final Limit INTERRUPTED_LIMIT =
      new Limit(Duration.ofSeconds(10), "on an interrupted thread");

  private final Calls calls;
  private final @Nullable String address;
  private final @Nullable String id;
  private volatile boolean hasEnded;

  /** Requires an address, an id, or both. */
  BrowserHandle(Calls calls, @Nullable String address, @Nullable String id) {
    this.calls = calls;
    this.address = address;
    this.id = id;
  }

  /**
   * Returns the id that identifies the browser in the history and in logs, which is not a secret.
   * Null if the handle was created from an address, or if the service has contract version 1.0.
   */
  public @Nullable String id() {
    return id;
  }

  /**
   * Closes the browser. Succeeds if the browser has already ended. After this method has succeeded,
   * further calls send no request. On an interrupted thread, it takes up to 10 seconds, and the
   * thread stays interrupted.
   */
  public void close() {
    if (hasEnded) return;
    boolean isInterrupted = Thread.interrupted();
    try {
      Function<Sender, CloseResult> request =
          sender -> new BrowserApi(sender).closeBrowser(byAddress());
      if (isInterrupted) calls.make(Operation.CLOSE, request, INTERRUPTED_LIMIT);
      else calls.make(Operation.CLOSE, request);
    } catch (BrowserNotFoundError ended) {
      // The browser has already ended.
    } finally {
      if (isInterrupted) Thread.currentThread().interrupt();
    }
    hasEnded = true;
  }

  /**
   * Returns the record of an open or ended browser: its state, the reason for its end, and what it
   * has consumed.
   *
   * @throws BrowserNotFoundError if the service no longer keeps the ended browser's record
   * @throws io.github.remotebrowser.contract.NotFoundError if the service has contract version 1.0,
   *     like every method that requires version 1.1
   */
  public BrowserRecord info() {
    return calls.make(Operation.INFO, sender -> new BrowserApi(sender).getBrowserInfo(byId()));
  }

  /**
   * Changes the inactivity period, the lifetime (both in seconds), the label or the tags of an open
   * browser. Requires contract version 1.1.
   *
   * @return the record with the new values
   * @throws BrowserNotFoundError if the browser has ended
   */
  public BrowserRecord update(UpdateOptions changes) {
    Settings.requireGiven(changes, "changes is null: pass new UpdateOptions() with new values.");
    BrowserReference reference = byId();
    UpdateRequest request =
        Json.WIRE
            .convertValue(changes, UpdateRequest.class)
            .address(reference.getAddress())
            .id(reference.getId());
    return calls.make(Operation.UPDATE, sender -> new BrowserApi(sender).updateBrowser(request));
  }

  /**
   * Waits until the browser has ended. Waiting requires contract version 1.1 but no DevTools
   * connection, and doesn't keep the browser open.
   *
   * @return the reason, such as {@code requested}, {@code inactive}, {@code lifetime} or {@code
   *     crashed}. Later versions may add values
   * @throws BrowserNotFoundError if the service no longer keeps the ended browser's record
   */
  public String awaitClosed() {
    return new Waiting(calls, byId()).await(null);
  }

  /**
   * Waits until the browser has ended, up to a timeout. See {@link #awaitClosed()}.
   *
   * @throws TimeoutError if the browser is still open after the timeout
   */
  public String awaitClosed(Duration timeout) {
    Settings.requireGiven(timeout, "timeout is null: pass a Duration, or call awaitClosed().");
    return new Waiting(calls, byId()).await(timeout);
  }

  /**
   * Takes a picture of an open browser: the whole screen, or the visible part of the front page if
   * the browser is headless. Pages and clients can't detect it. Requires contract version 1.1.
   *
   * @throws BrowserNotFoundError if the browser has ended
   * @throws io.github.remotebrowser.contract.BrowserUnavailableError if the service can't take a
   *     picture, for example because the browser shows no page
   */
  public Screenshot screenshot() {
    return calls.make(
        Operation.SCREENSHOT, sender -> new BrowserApi(sender).takeScreenshot(byId()));
  }

  /**
   * Returns the bytes of the same picture as a PNG or JPEG file. This is a preview, which services
   * may lack and later versions may change.
   *
   * @throws io.github.remotebrowser.contract.NotFoundError if the service doesn't offer it
   */
  public byte[] screenshotImage() {
    String known = id == null ? info().id() : id;
    return calls.make(
        Operation.SCREENSHOT_IMAGE, sender -> new BrowserApi(sender).takeScreenshotImage(known));
  }

  /**
   * Starts the browser's remote desktop. If it is already running, its URLs and passwords stay the
   * same.
   *
   * @throws io.github.remotebrowser.contract.DesktopUnavailableError if the browser is headless
   */
  public Desktop startDesktop() {
    StartRemoteDesktopResult desktop =
        calls.make(
            Operation.START_DESKTOP,
            sender -> new RemoteDesktopApi(sender).startRemoteDesktop(byAddress()));
    return Answers.toDesktop(desktop);
  }

  /**
   * Stops the browser's remote desktop, disconnects its viewers and invalidates its passwords. The
   * browser stays open.
   */
  public void stopDesktop() {
    calls.make(
        Operation.STOP_DESKTOP,
        sender -> new RemoteDesktopApi(sender).stopRemoteDesktop(byAddress()));
  }

  /** Leaves out the address, which is a secret. */
  @Override
  public String toString() {
    return getClass().getSimpleName() + "[id=" + id + "]";
  }

  Secrets secrets() {
    return calls.settings().secrets();
  }

  /** Prefers the address, which services of every contract version accept. */
  private BrowserReference byAddress() {
    BrowserReference reference = new BrowserReference();
    return address == null ? reference.id(id) : reference.address(address);
  }

  /** Prefers the id, which also refers to a browser that has ended. */
  private BrowserReference byId() {
    BrowserReference reference = new BrowserReference();
    return id == null ? reference.address(address) : reference.id(id);
  }
}
