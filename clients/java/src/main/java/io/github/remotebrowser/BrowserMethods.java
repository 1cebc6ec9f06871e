package io.github.remotebrowser;

import io.github.remotebrowser.contract.BrowserRecord;
import io.github.remotebrowser.contract.Screenshot;
import io.github.remotebrowser.contract.UpdateOptions;
import java.time.Duration;

/** Methods of a listed browser, which call its handle's methods. */
public interface BrowserMethods {
  /** Returns the handle that the methods use. */
  BrowserHandle handle();

  /** Closes the browser. See {@link BrowserHandle#close}. */
  default void close() {
    handle().close();
  }

  /** Returns the browser's record. See {@link BrowserHandle#info}. */
  default BrowserRecord info() {
    return handle().info();
  }

  /** Takes a picture of the browser. See {@link BrowserHandle#screenshot}. */
  default Screenshot screenshot() {
    return handle().screenshot();
  }

  /** Changes the browser. See {@link BrowserHandle#update}. */
  default BrowserRecord update(UpdateOptions changes) {
    return handle().update(changes);
  }

  /** Waits until the browser has ended. See {@link BrowserHandle#awaitClosed()}. */
  default String awaitClosed() {
    return handle().awaitClosed();
  }

  /** Waits until the browser has ended. See {@link BrowserHandle#awaitClosed(Duration)}. */
  default String awaitClosed(Duration timeout) {
    return handle().awaitClosed(timeout);
  }
}
