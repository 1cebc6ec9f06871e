package io.github.remotebrowser;

import jakarta.annotation.Nullable;
import java.time.Duration;
import java.util.Optional;

/**
 * The service refused a call. Each error name in the contract has its own subclass in {@link
 * io.github.remotebrowser.contract}. The client throws a plain {@code ApiError} for a name that is
 * newer than this version, and for a response that isn't from the service.
 */
public class ApiError extends RemoteBrowserError {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final String name;
  private final @Nullable String requestId;
  private final @Nullable Duration retryAfter;

  /** For the subclasses of the contract's errors. */
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
   * The error's name in the contract, for programs to check; empty when the response isn't from the
   * service, but from a gateway, for example.
   */
  public final String name() {
    return name;
  }

  /** Identifies the request in the server's log. */
  public final Optional<String> requestId() {
    return Optional.ofNullable(requestId);
  }

  /** How long to wait before retrying; empty when the service doesn't say. */
  public final Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }
}
