// Written by scripts/generate-clients.ts from the contract: change that.

package io.github.remotebrowser.contract;

import io.github.remotebrowser.ApiError;
import io.github.remotebrowser.Refusal;

/**
 * The first request with the {@code Idempotency-Key} is still in progress.
 *
 * <p>The HTTP status is 409.
 */
public final class IdempotencyKeyInUseError extends ApiError {
  private static final long serialVersionUID = 1L;

  IdempotencyKeyInUseError(Refusal refusal) {
    super(refusal);
  }
}
