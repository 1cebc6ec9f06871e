package io.github.remotebrowser;

import io.github.remotebrowser.contract.BrowserReference;
import io.github.remotebrowser.contract.WaitRequest;
import io.github.remotebrowser.contract.WaitResult;
import io.github.remotebrowser.core.BrowserApi;
import jakarta.annotation.Nullable;
import java.time.Duration;

/** Waits until a browser has ended, with one request after the other. */
final class Waiting {
  /** Many gateways end requests that take longer than 30 s. */
  private static final Duration LONGEST = Duration.ofSeconds(25);

  /** A service that is shutting down may respond early, while the browser is still open. */
  private static final Duration SHORTEST_ROUND = Duration.ofSeconds(1);

  private final Calls calls;
  private final BrowserReference reference;

  Waiting(Calls calls, BrowserReference reference) {
    this.calls = calls;
    this.reference = reference;
  }

  /**
   * Returns the reason.
   *
   * @param timeout null for no limit
   */
  String await(@Nullable Duration timeout) {
    Deadline deadline = timeout == null ? null : new Deadline(new Limit(timeout, "timeout"));
    // Well below the timeout for an attempt.
    Duration longest = shorter(LONGEST, calls.timeout().dividedBy(2));
    while (true) {
      Deadline round = new Deadline(new Limit(SHORTEST_ROUND, "round"));
      WaitResult result = ask(deadline == null ? longest : shorter(longest, deadline.left()));
      if ("closed".equals(result.getState()))
        return result.getReason() == null ? "" : result.getReason();
      if (deadline != null && deadline.left().isZero())
        throw new TimeoutError("The browser is still open after " + deadline.limit() + ".", null);
      Duration pause = deadline == null ? round.left() : shorter(round.left(), deadline.left());
      Calls.sleep(Operation.WAIT, pause);
    }
  }

  private WaitResult ask(Duration duration) {
    WaitRequest request =
        new WaitRequest()
            .address(reference.getAddress())
            .id(reference.getId())
            .seconds(duration.toMillis() / 1000.0);
    return calls.make(Operation.WAIT, wire -> new BrowserApi(wire).waitForBrowser(request));
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
