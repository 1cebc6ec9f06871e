// Written by scripts/generate-clients.ts from the contract: change that.

package io.github.remotebrowser.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import jakarta.annotation.Nullable;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;

/** Which browsers in the history to list. Every member may be omitted or {@code null}, which means the same. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public final class HistoryOptions {
  @JsonProperty("since")
  private @Nullable OffsetDateTime since;

  @JsonProperty("until")
  private @Nullable OffsetDateTime until;

  @JsonProperty("label")
  private @Nullable String label;

  @JsonProperty("tag")
  private @Nullable String tag;

  /**
   * Only browsers that were open at this moment or later: a date and time by RFC 3339. Other text is a {@code
   * BadRequest}.
   */
  public HistoryOptions since(@Nullable OffsetDateTime since) {
    this.since = since;
    return this;
  }

  /** Returns {@code since}, or null if it is not set. */
  public @Nullable OffsetDateTime getSince() {
    return since;
  }

  /** Only browsers that were opened before this moment, as {@code since}. */
  public HistoryOptions until(@Nullable OffsetDateTime until) {
    this.until = until;
    return this;
  }

  /** Returns {@code until}, or null if it is not set. */
  public @Nullable OffsetDateTime getUntil() {
    return until;
  }

  /** Only browsers with this label. */
  public HistoryOptions label(@Nullable String label) {
    this.label = label;
    return this;
  }

  /** Returns {@code label}, or null if it is not set. */
  public @Nullable String getLabel() {
    return label;
  }

  /** Only browsers that have this tag. */
  public HistoryOptions tag(@Nullable String tag) {
    this.tag = tag;
    return this;
  }

  /** Returns {@code tag}, or null if it is not set. */
  public @Nullable String getTag() {
    return tag;
  }

  /** Leaves out secrets. */
  @Override
  public String toString() {
    return "HistoryOptions[since=" + since + ", until=" + until + ", label=" + label + ", tag=" + tag + "]";
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof HistoryOptions same && members().equals(same.members());
  }

  @Override
  public int hashCode() {
    return members().hashCode();
  }

  private List<Object> members() {
    return Arrays.asList(since, until, label, tag);
  }
}
