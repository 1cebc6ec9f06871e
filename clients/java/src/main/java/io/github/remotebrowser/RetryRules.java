package io.github.remotebrowser;

import io.github.remotebrowser.contract.ErrorName;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** Which failed attempts are repeated, and when. */
final class RetryRules {
  private static final long FIRST_PAUSE_MS = 250;
  private static final Set<Integer> GATEWAY_STATUSES = Set.of(502, 503, 504);

  private enum Rule {
    NEVER,
    WHEN_TOLD
  }

  private RetryRules() {}

  /**
   * How long to wait before a failed attempt is repeated; empty when it must not be.
   *
   * @param repeats how often the call has been repeated before
   */
  static Optional<Duration> pause(Operation operation, RemoteBrowserError error, int repeats) {
    if (error instanceof ApiError refusal) {
      if (refusal.name().isEmpty()) return pauseOfGateway(operation, refusal, repeats);
      boolean isTold =
          ErrorName.find(refusal.name()).map(RetryRules::ruleOf).orElse(Rule.NEVER)
              == Rule.WHEN_TOLD;
      return isTold ? refusal.retryAfter() : Optional.empty();
    }
    boolean passes =
        error instanceof ConnectionError connection
            ? passes(operation, connection.stage())
            : error instanceof TimeoutError && operation.isIdempotent();
    return passes ? Optional.of(backOff(repeats)) : Optional.empty();
  }

  /**
   * Whether an error passes, for each that the contract names: a refused call did not happen, so
   * any may be repeated.
   */
  private static Rule ruleOf(ErrorName name) {
    return switch (name) {
      case TOO_MANY_REQUESTS, BROWSER_UNAVAILABLE, PROVIDER_UNAVAILABLE -> Rule.WHEN_TOLD;
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
          UNKNOWN,
          PROVIDER_ERROR ->
          Rule.NEVER;
    };
  }

  private static boolean passes(Operation operation, ConnectionError.Stage stage) {
    return switch (stage) {
      case UNREACHED -> true;
      case INSECURE -> false;
      case LOST -> operation.isIdempotent();
    };
  }

  /** A gateway can't say whether the service carried out the call, nor when it will again. */
  private static Optional<Duration> pauseOfGateway(
      Operation operation, ApiError refusal, int repeats) {
    boolean passes = GATEWAY_STATUSES.contains(refusal.status()) && operation.isIdempotent();
    return passes ? Optional.of(backOff(repeats)) : Optional.empty();
  }

  /** Twice as long each time, and not for all callers alike. */
  private static Duration backOff(int repeats) {
    long pauseMs = FIRST_PAUSE_MS << Math.min(repeats, 7);
    return Duration.ofMillis(ThreadLocalRandom.current().nextLong(pauseMs / 2, pauseMs + 1));
  }
}
