// Written by scripts/generate-clients.ts from the contract: change that.

package io.github.remotebrowser.contract;

import io.github.remotebrowser.ApiError;
import io.github.remotebrowser.Refusal;

/**
 * All units of this month have been consumed.
 *
 * <p>The HTTP status is 403.
 */
public final class NoUnitsError extends ApiError {
  private static final long serialVersionUID = 1L;

  NoUnitsError(Refusal refusal) {
    super(refusal);
  }
}
