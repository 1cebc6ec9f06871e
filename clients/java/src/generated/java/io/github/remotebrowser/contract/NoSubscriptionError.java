// Written by scripts/generate-clients.ts from the contract: change that.

package io.github.remotebrowser.contract;

import io.github.remotebrowser.ApiError;
import io.github.remotebrowser.Refusal;

/**
 * The account has no active subscription.
 *
 * <p>The HTTP status is 402.
 */
public final class NoSubscriptionError extends ApiError {
  private static final long serialVersionUID = 1L;

  NoSubscriptionError(Refusal refusal) {
    super(refusal);
  }
}
