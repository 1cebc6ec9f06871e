// Written by scripts/generate-clients.ts from the contract: change that.

package io.github.remotebrowser.contract;

import io.github.remotebrowser.ApiError;
import io.github.remotebrowser.Refusal;

/**
 * The language-model provider failed, or its result stayed invalid.
 *
 * <p>The HTTP status is 502.
 */
public final class ProviderError extends ApiError {
  private static final long serialVersionUID = 1L;

  ProviderError(Refusal refusal) {
    super(refusal);
  }
}
