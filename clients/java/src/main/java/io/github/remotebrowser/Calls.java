package io.github.remotebrowser;

import io.github.remotebrowser.contract.AccountInfo;
import io.github.remotebrowser.core.AccountApi;
import io.github.remotebrowser.core.Sender;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/** Makes calls: attempts, pauses between them, and timeouts. */
final class Calls {
  private final Settings settings;

  /** Whether the service has proved contract version 1.1, and so opens one browser per key. */
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
  <T> T make(Operation operation, Function<Sender, T> request) {
    return makeWaiting(Duration.ZERO, operation, request);
  }

  /**
   * Makes a call to which the service may delay its response.
   *
   * @param mayWait how much longer than usual an attempt may take
   */
  <T> T makeWaiting(Duration mayWait, Operation operation, Function<Sender, T> request) {
    Limit perAttempt =
        mayWait.isZero()
            ? perAttempt()
            : new Limit(settings.timeout().plus(mayWait), "timeout and waitForPlace");
    return make(operation, request, perAttempt, total());
  }

  /** Makes a call with its own limit for all attempts. */
  <T> T make(Operation operation, Function<Sender, T> request, Limit limit) {
    return make(operation, request, perAttempt(), new Deadline(limit));
  }

  private Limit perAttempt() {
    return new Limit(settings.timeout(), "timeout");
  }

  private Deadline total() {
    return new Deadline(new Limit(settings.totalTimeout(), "totalTimeout"));
  }

  private <T> T make(
      Operation operation, Function<Sender, T> request, Limit perAttempt, Deadline deadline) {
    for (int repeats = 0; ; repeats++) {
      try {
        return attempt(operation, request, perAttempt, deadline);
      } catch (RemoteBrowserError error) {
        Optional<Duration> pause = RetryRules.pause(operation, error, repeats);
        if (repeats == settings.retries() || pause.isEmpty()) throw error;
        if (pause.get().compareTo(deadline.left()) >= 0) throw error;
        sleep(operation, pause.get());
        boolean needsKeys = !operation.isIdempotent() && RetryRules.mayHaveHappened(error);
        if (needsKeys && !proveKeys(deadline)) throw error;
      }
    }
  }

  /** Records that the service has contract version 1.1. */
  void noteKeys() {
    hasKeys = true;
  }

  /**
   * Calls an operation that was added in the same version as the keys. Only success proves that the
   * service has it: version 1.0 may check the token or the rate before the path. Failures aren't
   * remembered, because the service may be updated.
   */
  private boolean proveKeys(Deadline deadline) {
    if (hasKeys) return true;
    try {
      AccountInfo account =
          make(
              Operation.ACCOUNT,
              sender -> new AccountApi(sender).getAccount(),
              perAttempt(),
              deadline);
      // The core doesn't check for missing members.
      if (account.period() != null) noteKeys();
    } catch (InterruptedError interruption) {
      throw interruption;
    } catch (RemoteBrowserError unknown) {
      return false;
    }
    return hasKeys;
  }

  Settings settings() {
    return settings;
  }

  private <T> T attempt(
      Operation operation, Function<Sender, T> request, Limit perAttempt, Deadline deadline) {
    Duration left = deadline.left();
    boolean isLast = operation.isSlow() || left.compareTo(perAttempt.duration()) <= 0;
    Wire wire =
        isLast
            ? new Wire(operation, settings, left, deadline.limit())
            : new Wire(operation, settings, perAttempt.duration(), perAttempt);
    return request.apply(wire);
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
