package io.github.remotebrowser;

import io.github.remotebrowser.contract.BrowserReference;
import io.github.remotebrowser.contract.WaitRequest;
import io.github.remotebrowser.contract.WaitResult;
import io.github.remotebrowser.core.BrowserApi;
import jakarta.annotation.Nullable;
import java.time.Duration;

/** Waits until a browser has ended, with consecutive requests. */
final class Waiting {
  /** Below 30 s, after which many gateways end a request. */
  private static final Duration LONGEST = Duration.ofSeconds(25);

  /**
   * Limits the request rate: a service that is shutting down responds early, with an open browser.
   */
  private static final Duration SHORTEST_ROUND = Duration.ofSeconds(1);

  private final Calls calls;
  private final BrowserReference reference;

  Waiting(Calls calls, BrowserReference reference) {
    this.calls = calls;
    this.reference = reference;
  }

  /**
   * Returns the reason for the browser's end.
   *
   * @param timeout null for no limit
   * @throws TimeoutError if the browser is still open after the timeout
   */
  String await(@Nullable Duration timeout) {
    Deadline deadline = timeout == null ? null : new Deadline(new Limit(timeout, "timeout"));
    // The service must respond well before the attempt times out.
    Duration longest = shorter(LONGEST, calls.settings().timeout().dividedBy(2));
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
    return calls.make(Operation.WAIT, sender -> new BrowserApi(sender).waitForBrowser(request));
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
