package io.github.remotebrowser;

import io.github.remotebrowser.contract.ErrorName;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** Decides which failed attempts are retried, and when. */
final class RetryRules {
  private static final long FIRST_PAUSE_MS = 250;
  private static final Set<Integer> GATEWAY_STATUSES = Set.of(502, 503, 504);

  private RetryRules() {}

  /**
   * Returns how long to wait before retrying a failed attempt; empty if it must not be retried. A
   * request with a key that may have been carried out also requires a service that supports keys.
   *
   * @param repeats the number of retries so far
   */
  static Optional<Duration> pause(Operation operation, RemoteBrowserError error, int repeats) {
    if (error instanceof ApiError refusal && !refusal.name().isEmpty()) {
      boolean mayRetry = ErrorName.find(refusal.name()).map(RetryRules::isTemporary).orElse(false);
      return mayRetry ? refusal.retryAfter() : Optional.empty();
    }
    boolean isSafe =
        !mayHaveHappened(error) || operation.isIdempotent() || operation.hasKey();
    return isSafe && isTemporary(error) ? Optional.of(backOff(repeats)) : Optional.empty();
  }

  /** Whether the service may have carried out a failed attempt. */
  static boolean mayHaveHappened(RemoteBrowserError error) {
    if (error instanceof ApiError refusal) return refusal.name().isEmpty();
    if (error instanceof ConnectionError connection)
      return connection.stage() == ConnectionError.Stage.LOST;
    return error instanceof TimeoutError;
  }

  /**
   * Whether an error of the contract is temporary if the response has {@code Retry-After}. The
   * service didn't carry out a call that it refused, so any operation can be retried.
   */
  private static boolean isTemporary(ErrorName name) {
    return switch (name) {
      case TOO_MANY_REQUESTS, BROWSER_UNAVAILABLE, PROVIDER_UNAVAILABLE, IDEMPOTENCY_KEY_IN_USE ->
          true;
      case BAD_REQUEST,
          AUTHORIZATION_ERROR,
          NO_SUBSCRIPTION,
          NO_UNITS,
          BROWSER_LIMIT,
          BROWSER_NOT_FOUND,
          NOT_FOUND,
          METHOD_NOT_ALLOWED,
          DESKTOP_UNAVAILABLE,
          PAYLOAD_TOO_LARGE,
          UNSUPPORTED_MEDIA_TYPE,
          RESPONSE_REFUSED,
          IDEMPOTENCY_KEY_REUSED,
          UNKNOWN,
          PROVIDER_ERROR ->
          false;
    };
  }

  /** Whether a failure may be temporary. A gateway's {@code Retry-After} is ignored. */
  private static boolean isTemporary(RemoteBrowserError error) {
    if (error instanceof ApiError refusal) return GATEWAY_STATUSES.contains(refusal.status());
    if (error instanceof ConnectionError connection)
      return connection.stage() != ConnectionError.Stage.INSECURE;
    return error instanceof TimeoutError;
  }

  /** Returns a pause that doubles with each retry, with jitter. */
  private static Duration backOff(int repeats) {
    long pauseMs = FIRST_PAUSE_MS << Math.min(repeats, 7);
    return Duration.ofMillis(ThreadLocalRandom.current().nextLong(pauseMs / 2, pauseMs + 1));
  }
}
