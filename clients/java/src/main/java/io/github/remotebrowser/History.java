package io.github.remotebrowser;

import io.github.remotebrowser.contract.BrowserHistory;
import io.github.remotebrowser.contract.BrowserRecord;
import io.github.remotebrowser.contract.HistoryOptions;
import io.github.remotebrowser.contract.HistoryRequest;
import io.github.remotebrowser.core.BrowserApi;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;

/** Iterates over the history, and requests its parts when they are needed. */
final class History implements Iterator<BrowserRecord> {
  private final Calls calls;
  private final HistoryRequest request;
  private Iterator<BrowserRecord> part = Collections.emptyIterator();
  private boolean isLast;

  History(Calls calls, HistoryOptions options) {
    this.calls = calls;
    this.request = Json.WIRE.convertValue(options, HistoryRequest.class);
  }

  @Override
  public boolean hasNext() {
    while (!part.hasNext() && !isLast) {
      BrowserHistory answer =
          calls.make(
              Operation.HISTORY, wire -> new BrowserApi(wire).getBrowserHistory(request));
      part = Answers.toRecords(answer).iterator();
      String next = answer.getNext();
      isLast = next == null;
      request.cursor(next);
    }
    return part.hasNext();
  }

  @Override
  public BrowserRecord next() {
    if (!hasNext()) throw new NoSuchElementException("The history has no more browsers.");
    return part.next();
  }
}
