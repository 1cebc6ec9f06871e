// Written by scripts/generate-clients.ts from the contract: change that.

package io.github.remotebrowser.contract;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import jakarta.annotation.Nullable;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Objects;

/**
 * A browser, open or ended. What does not exist any more when a browser has ended is {@code null} or 0.
 *
 * @param id Identifies a browser in the history, in logs and in questions to the operator. It is not a
 * secret: it does not give access to the browser. No two browsers ever have the same id.
 * @param state {@code open} or {@code closed}. Later versions may add values.
 * @param startedOn When the browser was opened: RFC 3339 in UTC with milliseconds, such as {@code
 * 2026-03-14T09:26:53.589Z}.
 * @param endedOn When it ended, as {@code startedOn}; {@code null} while it is open.
 * @param reason Why it ended; {@code null} while it is open. The values are those of the close reasons:
 * {@code requested}, {@code exited}, {@code inactive}, {@code lifetime}, {@code shutdown}, {@code disabled},
 * {@code crashed}, {@code hung} and {@code memory}. It is {@code lost} if the server was killed while the
 * browser was open. Later versions may add values.
 * @param units The units that it has consumed so far.
 * @param bytesSent The bytes that it has sent to the network so far; {@code null} if they were not counted.
 * @param bytesReceived The bytes that it has received from the network so far; {@code null} if they were not
 * counted.
 * @param address Its address while it is open; {@code null} afterwards.
 * @param vncpass The password for full control of its remote desktop; {@code null} while the desktop is
 * stopped.
 * @param label Its label; {@code null} if it has none.
 * @param tags Its tags, in the order in which they were given.
 * @param browser Which kind of browser it is, as in SupportedBrowser. Later versions may add values.
 * @param headless Whether it runs without a graphical interface.
 * @param keepOpen How many seconds it stays open while no client is connected; {@code null} if that is not
 * limited. 0 and values above the maximum lifetime of the account's plan are listed as that maximum.
 * @param closesOn When it closes if nothing happens before, as {@code startedOn}; {@code null} if that is not
 * known, or if it has ended.
 * @param clients How many DevTools clients and viewers of its desktop are connected. It may be 5 seconds old.
 * 0 if the browser has ended.
 * @param desktop Whether its remote desktop is started.
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record BrowserRecord(
    String id,
    String state,
    OffsetDateTime startedOn,
    @Nullable OffsetDateTime endedOn,
    @Nullable String reason,
    Integer units,
    @Nullable Long bytesSent,
    @Nullable Long bytesReceived,
    @Nullable String address,
    @Nullable String vncpass,
    @Nullable String label,
    List<String> tags,
    Integer browser,
    Boolean headless,
    @Nullable Double keepOpen,
    @Nullable OffsetDateTime closesOn,
    Integer clients,
    Boolean desktop) {

  /** Refuses null for a member that every service sends. */
  public BrowserRecord {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(startedOn, "startedOn");
    Objects.requireNonNull(units, "units");
    Objects.requireNonNull(tags, "tags");
    Objects.requireNonNull(browser, "browser");
    Objects.requireNonNull(headless, "headless");
    Objects.requireNonNull(clients, "clients");
    Objects.requireNonNull(desktop, "desktop");
  }

  /** Leaves out secrets. */
  @Override
  public String toString() {
    return "BrowserRecord[id=" + id + ", state=" + state + ", startedOn=" + startedOn + ", endedOn=" + endedOn + ", reason=" + reason + ", units=" + units + ", bytesSent=" + bytesSent + ", bytesReceived=" + bytesReceived + ", label=" + label + ", tags=" + tags + ", browser=" + browser + ", headless=" + headless + ", keepOpen=" + keepOpen + ", closesOn=" + closesOn + ", clients=" + clients + ", desktop=" + desktop + "]";
  }
}
