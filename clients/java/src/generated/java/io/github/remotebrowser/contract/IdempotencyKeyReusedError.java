// Written by scripts/generate-clients.ts from the contract: change that.

package io.github.remotebrowser.contract;

import io.github.remotebrowser.ApiError;
import io.github.remotebrowser.Refusal;

/**
 * The {@code Idempotency-Key} belongs to a request with other options.
 *
 * <p>The HTTP status is 422.
 */
public final class IdempotencyKeyReusedError extends ApiError {
  private static final long serialVersionUID = 1L;

  IdempotencyKeyReusedError(Refusal refusal) {
    super(refusal);
  }
}
