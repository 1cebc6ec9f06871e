package io.github.remotebrowser;

import jakarta.annotation.Nullable;
import java.time.Duration;
import java.util.Optional;

/**
 * The service refused a call. Each error name in the contract has a subclass in {@link
 * io.github.remotebrowser.contract}. The client throws a plain {@code ApiError} for a name that
 * this version doesn't know, and for a response that isn't from the service.
 */
public class ApiError extends RemoteBrowserError {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final String name;
  private final @Nullable String requestId;
  private final @Nullable Duration retryAfter;

  /** Creates the error for a response. */
  protected ApiError(Refusal refusal) {
    super(refusal.describe(), null);
    this.status = refusal.status();
    this.name = refusal.name();
    this.requestId = refusal.requestId();
    this.retryAfter = refusal.retryAfter();
  }

  /** Returns the HTTP status. */
  public final int status() {
    return status;
  }

  /**
   * Returns the error's name in the contract; empty if the response isn't from the service, but
   * from a gateway, for example.
   */
  public final String name() {
    return name;
  }

  /** Returns the request id in the server's log; empty if the response doesn't include it. */
  public final Optional<String> requestId() {
    return Optional.ofNullable(requestId);
  }

  /** Returns how long to wait before retrying; empty if the service doesn't say. */
  public final Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }
}
