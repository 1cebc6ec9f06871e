// Written by scripts/generate-clients.ts from the contract: change that.

package io.github.remotebrowser.contract;

import io.github.remotebrowser.ApiError;
import io.github.remotebrowser.Refusal;

/**
 * The path exists, but does not support this method. No operation lists this response, because the request
 * did not reach one.
 *
 * <p>The HTTP status is 405.
 */
public final class MethodNotAllowedError extends ApiError {
  private static final long serialVersionUID = 1L;

  MethodNotAllowedError(Refusal refusal) {
    super(refusal);
  }
}
