// Written by scripts/generate-clients.ts from the contract: change that.

package io.github.remotebrowser.contract;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import jakarta.annotation.Nullable;
import java.util.Objects;

/**
 * The account that the token belongs to, its plan, and what it has used.
 *
 * @param plan The name of its plan; {@code null} if it has no active subscription.
 * @param parallel How many browsers may be open in parallel; {@code null} if only the machine's capacity
 * limits that, or without a subscription.
 * @param open How many browsers count towards that limit now, including those that are being opened.
 * @param period The month (UTC) that the units belong to, such as {@code 2026-03}.
 * @param unitsUsed The units consumed in this month.
 * @param unitsLeft The units of the plan that are left in this month; {@code null} if the plan does not limit
 * them, or without a subscription.
 * @param additionalUnits Whether browsers may be opened when no units are left.
 * @param maxLifetime The maximum lifetime of a browser in seconds; {@code null} if the plan does not limit
 * it, or without a subscription.
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record AccountInfo(
    @Nullable String plan,
    @Nullable Integer parallel,
    Integer open,
    String period,
    Integer unitsUsed,
    @Nullable Integer unitsLeft,
    Boolean additionalUnits,
    @Nullable Double maxLifetime) {

  /** Refuses null for a member that every service sends. */
  public AccountInfo {
    Objects.requireNonNull(open, "open");
    Objects.requireNonNull(period, "period");
    Objects.requireNonNull(unitsUsed, "unitsUsed");
    Objects.requireNonNull(additionalUnits, "additionalUnits");
  }
}
