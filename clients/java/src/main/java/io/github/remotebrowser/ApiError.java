package io.github.remotebrowser;

import jakarta.annotation.Nullable;
import java.time.Duration;
import java.util.Optional;

/**
 * The service refused a call. Each name of the contract has a class of its own in {@link
 * io.github.remotebrowser.contract}; a name that this version does not know, and an answer that is
 * not the service's, are a plain {@code ApiError}.
 */
public class ApiError extends RemoteBrowserError {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final String name;
  private final @Nullable String requestId;
  private final @Nullable Duration retryAfter;

  /** For the classes of the contract's names. */
  protected ApiError(Refusal refusal) {
    super(refusal.describe(), null);
    this.status = refusal.status();
    this.name = refusal.name();
    this.requestId = refusal.requestId();
    this.retryAfter = refusal.retryAfter();
  }

  /** The HTTP status. */
  public final int status() {
    return status;
  }

  /**
   * The name as it was sent, to decide by; empty when something else than the service answered,
   * such as a gateway.
   */
  public final String name() {
    return name;
  }

  /** Identifies the request in the server's log. */
  public final Optional<String> requestId() {
    return Optional.ofNullable(requestId);
  }

  /** How long the service asks to wait before the next attempt; empty when it does not say. */
  public final Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }
}
