package io.github.remotebrowser;

import io.github.remotebrowser.contract.BrowserRecord;
import io.github.remotebrowser.contract.Screenshot;
import io.github.remotebrowser.contract.UpdateOptions;
import java.time.Duration;

/** The methods of a browser that a list shows, which are its handle's methods. */
public interface BrowserMethods {
  /** The handle that the methods use. */
  BrowserHandle handle();

  /** Closes the browser, as {@link BrowserHandle#close} does. */
  default void close() {
    handle().close();
  }

  /** Returns the browser's record, as {@link BrowserHandle#info} does. */
  default BrowserRecord info() {
    return handle().info();
  }

  /** Takes a picture of what the browser shows, as {@link BrowserHandle#screenshot} does. */
  default Screenshot screenshot() {
    return handle().screenshot();
  }

  /** Changes the browser, as {@link BrowserHandle#update} does. */
  default BrowserRecord update(UpdateOptions changes) {
    return handle().update(changes);
  }

  /** Waits until the browser has ended, as {@link BrowserHandle#awaitClosed()} does. */
  default String awaitClosed() {
    return handle().awaitClosed();
  }

  /** Waits until the browser has ended, as {@link BrowserHandle#awaitClosed(Duration)} does. */
  default String awaitClosed(Duration timeout) {
    return handle().awaitClosed(timeout);
  }
}
