// Written by scripts/generate-clients.ts from the contract: change that.

package io.github.remotebrowser.contract;

import io.github.remotebrowser.ApiError;
import io.github.remotebrowser.Refusal;

/**
 * The body is declared as something other than JSON.
 *
 * <p>The HTTP status is 415.
 */
public final class UnsupportedMediaTypeError extends ApiError {
  private static final long serialVersionUID = 1L;

  UnsupportedMediaTypeError(Refusal refusal) {
    super(refusal);
  }
}
