// Written by scripts/generate-clients.ts from the contract: change that.

package io.github.remotebrowser.contract;

import io.github.remotebrowser.ApiError;
import io.github.remotebrowser.Refusal;

/**
 * The token is missing or incorrect.
 *
 * <p>The HTTP status is 401.
 */
public final class AuthorizationError extends ApiError {
  private static final long serialVersionUID = 1L;

  AuthorizationError(Refusal refusal) {
    super(refusal);
  }
}
