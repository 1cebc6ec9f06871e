// Written by scripts/generate-clients.ts from the contract: change that.

package io.github.remotebrowser.contract;

import io.github.remotebrowser.ApiError;
import io.github.remotebrowser.Refusal;

/**
 * Requests arrive faster than the operator allows.
 *
 * <p>The HTTP status is 429.
 */
public final class TooManyRequestsError extends ApiError {
  private static final long serialVersionUID = 1L;

  TooManyRequestsError(Refusal refusal) {
    super(refusal);
  }
}
