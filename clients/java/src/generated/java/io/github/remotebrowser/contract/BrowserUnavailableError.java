// Written by scripts/generate-clients.ts from the contract: change that.

package io.github.remotebrowser.contract;

import io.github.remotebrowser.ApiError;
import io.github.remotebrowser.Refusal;

/**
 * This deployment cannot open such a browser, or cannot open it now.
 *
 * <p>The HTTP status is 503.
 */
public final class BrowserUnavailableError extends ApiError {
  private static final long serialVersionUID = 1L;

  BrowserUnavailableError(Refusal refusal) {
    super(refusal);
  }
}
