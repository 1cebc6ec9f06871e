package io.github.remotebrowser;

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
    return make(operation, request, new Limit(settings.totalTimeout(), "totalTimeout"));
  }

  /** Makes a call with a timeout. */
  <T> T make(Operation operation, Request<T> request, Limit limit) {
    Deadline deadline = new Deadline(limit);
    for (int repeats = 0; ; repeats++) {
      try {
        return attempt(operation, request, deadline);
      } catch (RemoteBrowserError error) {
        Optional<Duration> pause = RetryRules.pause(operation, error, repeats);
        if (repeats == settings.retries() || pause.isEmpty()) throw error;
        if (pause.get().compareTo(deadline.left()) >= 0) throw error;
        sleep(operation, pause.get());
      }
    }
  }

  Secrets secrets() {
    return settings.secrets();
  }

  /** The timeout for one attempt. */
  Duration timeout() {
    return settings.timeout();
  }

  private <T> T attempt(Operation operation, Request<T> request, Deadline deadline) {
    Duration left = deadline.left();
    boolean isLast = operation.isSlow() || left.compareTo(settings.timeout()) <= 0;
    try {
      T body = request.send(new Wire(settings, isLast ? left : settings.timeout()));
      if (body == null)
        throw new InvalidAnswerError("The response to " + operation + " is empty.", null);
      return body;
    } catch (ApiException failure) {
      Limit limit = isLast ? deadline.limit() : new Limit(settings.timeout(), "timeout");
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
