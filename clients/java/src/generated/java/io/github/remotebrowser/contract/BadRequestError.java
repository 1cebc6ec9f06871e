// Written by scripts/generate-clients.ts from the contract: change that.

package io.github.remotebrowser.contract;

import io.github.remotebrowser.ApiError;
import io.github.remotebrowser.Refusal;
import java.util.List;

/**
 * The request does not match the contract.
 *
 * <p>The HTTP status is 400.
 */
public final class BadRequestError extends ApiError {
  private static final long serialVersionUID = 1L;

  private final transient List<BadRequestProblem> errors;

  BadRequestError(Refusal refusal) {
    super(refusal);
    this.errors = refusal.readList("errors", BadRequestProblem.class);
  }

  /** Each thing that is wrong, and where. Empty when the response doesn't include it. */
  public List<BadRequestProblem> errors() {
    return errors;
  }
}
