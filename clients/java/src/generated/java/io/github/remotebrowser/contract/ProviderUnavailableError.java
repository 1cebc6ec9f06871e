// Written by scripts/generate-clients.ts from the contract: change that.

package io.github.remotebrowser.contract;

import io.github.remotebrowser.ApiError;
import io.github.remotebrowser.Refusal;

/**
 * The language-model provider cannot be used at the moment.
 *
 * <p>The HTTP status is 503.
 */
public final class ProviderUnavailableError extends ApiError {
  private static final long serialVersionUID = 1L;

  ProviderUnavailableError(Refusal refusal) {
    super(refusal);
  }
}
