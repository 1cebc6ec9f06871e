// Written by scripts/generate-clients.ts from the contract: change that.

package io.github.remotebrowser.contract;

import io.github.remotebrowser.ApiError;
import io.github.remotebrowser.Refusal;

/**
 * Something unexpected went wrong. The HTTP status is 500, while {@code status} is 0.
 *
 * <p>The HTTP status is 500.
 */
public final class UnknownError extends ApiError {
  private static final long serialVersionUID = 1L;

  UnknownError(Refusal refusal) {
    super(refusal);
  }
}
