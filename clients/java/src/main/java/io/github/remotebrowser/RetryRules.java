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

  private enum Rule {
    NEVER,
    WITH_RETRY_AFTER
  }

  private RetryRules() {}

  /**
   * How long to wait before retrying a failed attempt; empty when it must not be retried. A request
   * with a key that may have been carried out also needs a service that knows keys.
   *
   * @param repeats how many retries there have been
   */
  static Optional<Duration> pause(Operation operation, RemoteBrowserError error, int repeats) {
    if (error instanceof ApiError refusal) {
      if (refusal.name().isEmpty()) return pauseOfGateway(operation, refusal, repeats);
      boolean mayRetry =
          ErrorName.find(refusal.name()).map(RetryRules::ruleOf).orElse(Rule.NEVER)
              == Rule.WITH_RETRY_AFTER;
      return mayRetry ? refusal.retryAfter() : Optional.empty();
    }
    boolean passes =
        error instanceof ConnectionError connection
            ? passes(operation, connection.stage())
            : error instanceof TimeoutError && isRepeatable(operation);
    return passes ? Optional.of(backOff(repeats)) : Optional.empty();
  }

  /** Whether the service may have carried out a failed attempt. */
  static boolean mayHaveHappened(RemoteBrowserError error) {
    if (error instanceof ApiError refusal) return refusal.name().isEmpty();
    if (error instanceof ConnectionError connection)
      return connection.stage() == ConnectionError.Stage.LOST;
    return error instanceof TimeoutError;
  }

  /**
   * The retry rule for each error in the contract. The service didn't carry out a refused call, so
   * any operation can be retried.
   */
  private static Rule ruleOf(ErrorName name) {
    return switch (name) {
      case TOO_MANY_REQUESTS, BROWSER_UNAVAILABLE, PROVIDER_UNAVAILABLE, IDEMPOTENCY_KEY_IN_USE ->
          Rule.WITH_RETRY_AFTER;
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
          Rule.NEVER;
    };
  }

  private static boolean isRepeatable(Operation operation) {
    return operation.isIdempotent() || operation.hasKey();
  }

  private static boolean passes(Operation operation, ConnectionError.Stage stage) {
    return switch (stage) {
      case UNREACHED -> true;
      case INSECURE -> false;
      case LOST -> isRepeatable(operation);
    };
  }

  /** A gateway doesn't know whether the service carried out the call, so ignore its Retry-After. */
  private static Optional<Duration> pauseOfGateway(
      Operation operation, ApiError refusal, int repeats) {
    boolean passes = GATEWAY_STATUSES.contains(refusal.status()) && isRepeatable(operation);
    return passes ? Optional.of(backOff(repeats)) : Optional.empty();
  }

  /** Doubles with each retry, with jitter. */
  private static Duration backOff(int repeats) {
    long pauseMs = FIRST_PAUSE_MS << Math.min(repeats, 7);
    return Duration.ofMillis(ThreadLocalRandom.current().nextLong(pauseMs / 2, pauseMs + 1));
  }
}
