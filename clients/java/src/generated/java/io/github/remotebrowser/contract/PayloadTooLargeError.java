// Written by scripts/generate-clients.ts from the contract: change that.

package io.github.remotebrowser.contract;

import io.github.remotebrowser.ApiError;
import io.github.remotebrowser.Refusal;

/**
 * The body is larger than the operation accepts.
 *
 * <p>The HTTP status is 413.
 */
public final class PayloadTooLargeError extends ApiError {
  private static final long serialVersionUID = 1L;

  PayloadTooLargeError(Refusal refusal) {
    super(refusal);
  }
}
