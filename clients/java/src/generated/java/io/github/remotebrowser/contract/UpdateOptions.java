// Written by scripts/generate-clients.ts from the contract: change that.

package io.github.remotebrowser.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import jakarta.annotation.Nullable;
import java.util.Arrays;
import java.util.List;

/**
 * The new values of a browser. A value that is omitted or {@code null} stays as it is. Without any new value,
 * the call fails with {@code BadRequest}.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public final class UpdateOptions {
  @JsonProperty("keepOpen")
  private @Nullable Double keepOpen;

  @JsonProperty("lifetime")
  private @Nullable Double lifetime;

  @JsonProperty("label")
  private @Nullable String label;

  @JsonProperty("tags")
  private @Nullable List<String> tags;

  /**
   * The inactivity period in seconds, as the option {@code KeepOpen} of Open. A running period gets the new
   * length.
   */
  public UpdateOptions keepOpen(double keepOpen) {
    this.keepOpen = keepOpen;
    return this;
  }

  /** Returns {@code keepOpen}, or null if it is not set. */
  public @Nullable Double getKeepOpen() {
    return keepOpen;
  }

  /**
   * The lifetime in seconds, counted from the opening, as the option {@code Lifetime} of Open. A browser that
   * is older is closed.
   */
  public UpdateOptions lifetime(double lifetime) {
    this.lifetime = lifetime;
    return this;
  }

  /** Returns {@code lifetime}, or null if it is not set. */
  public @Nullable Double getLifetime() {
    return lifetime;
  }

  /** The label, as the option {@code Label} of Open. */
  public UpdateOptions label(@Nullable String label) {
    this.label = label;
    return this;
  }

  /** Returns {@code label}, or null if it is not set. */
  public @Nullable String getLabel() {
    return label;
  }

  /** All tags, as the option {@code Tags} of Open. They replace the former ones. */
  public UpdateOptions tags(@Nullable List<String> tags) {
    this.tags = tags;
    return this;
  }

  /** Returns {@code tags}, or null if it is not set. */
  public @Nullable List<String> getTags() {
    return tags;
  }

  /** Leaves out secrets. */
  @Override
  public String toString() {
    return "UpdateOptions[keepOpen=" + keepOpen + ", lifetime=" + lifetime + ", label=" + label + ", tags=" + tags + "]";
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof UpdateOptions same && members().equals(same.members());
  }

  @Override
  public int hashCode() {
    return members().hashCode();
  }

  private List<Object> members() {
    return Arrays.asList(keepOpen, lifetime, label, tags);
  }
}
