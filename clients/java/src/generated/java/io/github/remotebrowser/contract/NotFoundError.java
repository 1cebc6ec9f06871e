// Written by scripts/generate-clients.ts from the contract: change that.

package io.github.remotebrowser.contract;

import io.github.remotebrowser.ApiError;
import io.github.remotebrowser.Refusal;

/**
 * There is nothing at this path. No operation lists this response, because the request did not reach one.
 *
 * <p>The HTTP status is 404.
 */
public final class NotFoundError extends ApiError {
  private static final long serialVersionUID = 1L;

  NotFoundError(Refusal refusal) {
    super(refusal);
  }
}
