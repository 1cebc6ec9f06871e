// Written by scripts/generate-clients.ts from the contract: change that.

package io.github.remotebrowser.contract;

import io.github.remotebrowser.BrowserHandle;
import io.github.remotebrowser.BrowserMethods;
import jakarta.annotation.Nullable;
import java.time.OffsetDateTime;
import java.util.List;

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
 * @param id Identifies a browser in the history, in logs and in questions to the operator. It is not a
 * secret: it does not give access to the browser. No two browsers ever have the same id. Null if the service
 * has an earlier version, which does not send it.
 * @param browser Which kind of browser it is, as in SupportedBrowser. Later versions may add values. Null if
 * the service has an earlier version, which does not send it.
 * @param headless Whether it runs without a graphical interface. Null if the service has an earlier version,
 * which does not send it.
 * @param tags Its tags, in the order in which they were given. Null if the service has an earlier version,
 * which does not send it.
 * @param keepOpen How many seconds it stays open while no client is connected; {@code null} if that is not
 * limited. 0 and values above the maximum lifetime of the account's plan are listed as that maximum. Null if
 * the service has an earlier version, which does not send it.
 * @param closesOn When it closes if nothing happens before, as {@code startedOn}: at the end of its
 * inactivity period or of its lifetime, whichever comes first. {@code null} if neither is limited, or if a
 * client is connected and the lifetime is not limited. Null if the service has an earlier version, which does
 * not send it.
 * @param clients How many DevTools clients and viewers of its desktop are connected. It may be 5 seconds old.
 * Null if the service has an earlier version, which does not send it.
 * @param desktop Whether its remote desktop is started. Null if the service has an earlier version, which
 * does not send it.
 * @param handle The handle that the record's methods use.
 */
public record Session(
    OffsetDateTime startedOn,
    @Nullable String label,
    String address,
    @Nullable String vncpass,
    @Nullable String id,
    @Nullable Integer browser,
    @Nullable Boolean headless,
    @Nullable List<String> tags,
    @Nullable Double keepOpen,
    @Nullable OffsetDateTime closesOn,
    @Nullable Integer clients,
    @Nullable Boolean desktop,
    BrowserHandle handle)
    implements BrowserMethods {

  /** Leaves out secrets. */
  @Override
  public String toString() {
    return "Session[startedOn=" + startedOn + ", label=" + label + ", id=" + id + ", browser=" + browser + ", headless=" + headless + ", tags=" + tags + ", keepOpen=" + keepOpen + ", closesOn=" + closesOn + ", clients=" + clients + ", desktop=" + desktop + "]";
  }
}
