package io.github.remotebrowser;

import io.github.remotebrowser.contract.AccountInfo;
import io.github.remotebrowser.core.AccountApi;
import io.github.remotebrowser.core.ApiException;
import java.time.Duration;
import java.util.Optional;

/** Makes calls, with their attempts, waits and timeouts. */
final class Calls {
  /** A request of the generated core. */
  interface Request<T> {
    T send(Wire wire) throws ApiException;
  }

  private final Settings settings;

  /** Whether the service has shown contract version 1.1, and so opens one browser for each key. */
  private volatile boolean hasKeys;

  Calls(Settings settings) {
    this.settings = settings;
  }

  /**
   * Makes a call.
   *
   * @return the body of the response
   * @throws RemoteBrowserError the last attempt's error
   */
  <T> T make(Operation operation, Request<T> request) {
    return makeWaiting(Duration.ZERO, operation, request);
  }

  /**
   * Makes a call for which the service may wait before it responds. An attempt may take that much
   * longer.
   */
  <T> T makeWaiting(Duration mayWait, Operation operation, Request<T> request) {
    Limit perAttempt =
        mayWait.isZero()
            ? perAttempt()
            : new Limit(settings.timeout().plus(mayWait), "timeout and waitForPlace");
    return make(operation, request, perAttempt, total());
  }

  /** Makes a call with a timeout. */
  <T> T make(Operation operation, Request<T> request, Limit limit) {
    return make(operation, request, perAttempt(), new Deadline(limit));
  }

  private Limit perAttempt() {
    return new Limit(settings.timeout(), "timeout");
  }

  private Deadline total() {
    return new Deadline(new Limit(settings.totalTimeout(), "totalTimeout"));
  }

  private <T> T make(
      Operation operation, Request<T> request, Limit perAttempt, Deadline deadline) {
    for (int repeats = 0; ; repeats++) {
      try {
        return attempt(operation, request, perAttempt, deadline);
      } catch (RemoteBrowserError error) {
        Optional<Duration> pause = RetryRules.pause(operation, error, repeats);
        if (repeats == settings.retries() || pause.isEmpty()) throw error;
        if (pause.get().compareTo(deadline.left()) >= 0) throw error;
        sleep(operation, pause.get());
        boolean needsKeys = !operation.isIdempotent() && RetryRules.mayHaveHappened(error);
        if (needsKeys && !findOutWhetherItHasKeys(deadline)) throw error;
      }
    }
  }

  /** Notes that the service has contract version 1.1. */
  void noteKeys() {
    hasKeys = true;
  }

  /**
   * Asks for an operation that was added together with the keys. Only its success is proof: version
   * 1.0 may check the token or the rate before it answers that the operation doesn't exist. Without
   * proof, the client doesn't retry. It remembers only success, so that it notices when the service
   * is updated.
   */
  private boolean findOutWhetherItHasKeys(Deadline deadline) {
    if (hasKeys) return true;
    try {
      AccountInfo account =
          make(Operation.ACCOUNT, wire -> new AccountApi(wire).getAccount(), perAttempt(), deadline);
      // The core doesn't check for missing members.
      if (account.period() != null) noteKeys();
    } catch (InterruptedError interruption) {
      throw interruption;
    } catch (RemoteBrowserError unknown) {
      return false;
    }
    return hasKeys;
  }

  Secrets secrets() {
    return settings.secrets();
  }

  /** The timeout for one attempt. */
  Duration timeout() {
    return settings.timeout();
  }

  private <T> T attempt(
      Operation operation, Request<T> request, Limit perAttempt, Deadline deadline) {
    Duration left = deadline.left();
    boolean isLast = operation.isSlow() || left.compareTo(perAttempt.duration()) <= 0;
    try {
      T body = request.send(new Wire(settings, isLast ? left : perAttempt.duration()));
      if (body == null)
        throw new InvalidAnswerError("The response to " + operation + " is empty.", null);
      return body;
    } catch (ApiException failure) {
      Limit limit = isLast ? deadline.limit() : perAttempt;
      throw Failures.toError(operation, settings, limit, failure);
    }
  }

  static void sleep(Operation operation, Duration pause) {
    try {
      Thread.sleep(pause.toMillis());
    } catch (InterruptedException interruption) {
      Thread.currentThread().interrupt();
      throw new InterruptedError(operation, interruption);
    }
  }
}
