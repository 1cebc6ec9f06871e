// Written by scripts/generate-clients.ts from the contract: change that.

package io.github.remotebrowser.contract;

import jakarta.annotation.Nullable;
import java.time.OffsetDateTime;

/**
 * One open browser.
 *
 * @param startedOn When the browser was opened: RFC 3339 in UTC with milliseconds, such as {@code
 * 2026-03-14T09:26:53.589Z}.
 * @param label The label given when the browser was opened; {@code null} if there was none.
 * @param address The address of a browser's DevTools endpoint: {@code ws://} or {@code wss://}, the host of
 * the worker that runs the browser, its path prefix if it has one, then {@code /devtools/browser/} and an id
 * of at least 128 random bits. The service chooses the id; it is not the one that the browser gives itself.
 * No two browsers ever have the same id. The address is created once, when the browser opens, and is listed
 * unchanged, byte for byte, until the browser closes. It is a secret: anyone who has it can drive the
 * browser.
 * @param vncpass The password for full control of the browser's remote desktop, the same one that
 * StartRemoteDesktop returned as {@code password}; {@code null} while the desktop is stopped.
 */
public record Session(
    OffsetDateTime startedOn,
    @Nullable String label,
    String address,
    @Nullable String vncpass) {

  /** Leaves out secrets. */
  @Override
  public String toString() {
    return "Session[startedOn=" + startedOn + ", label=" + label + "]";
  }
}
