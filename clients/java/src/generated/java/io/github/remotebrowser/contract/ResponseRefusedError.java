// Written by scripts/generate-clients.ts from the contract: change that.

package io.github.remotebrowser.contract;

import io.github.remotebrowser.ApiError;
import io.github.remotebrowser.Refusal;

/**
 * The language model declined to answer.
 *
 * <p>The HTTP status is 422.
 */
public final class ResponseRefusedError extends ApiError {
  private static final long serialVersionUID = 1L;

  ResponseRefusedError(Refusal refusal) {
    super(refusal);
  }
}
