package io.github.remotebrowser;

import io.github.remotebrowser.contract.BrowserHistory;
import io.github.remotebrowser.contract.BrowserRecord;
import io.github.remotebrowser.contract.HistoryOptions;
import io.github.remotebrowser.contract.HistoryRequest;
import io.github.remotebrowser.core.BrowserApi;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;

/** Iterates over the history, and requests it page by page. */
final class History implements Iterator<BrowserRecord> {
  private final Calls calls;
  private final HistoryRequest request;
  private Iterator<BrowserRecord> page = Collections.emptyIterator();
  private boolean isLast;

  History(Calls calls, HistoryOptions options) {
    this.calls = calls;
    this.request = Json.WIRE.convertValue(options, HistoryRequest.class);
  }

  @Override
  public boolean hasNext() {
    while (!page.hasNext() && !isLast) {
      BrowserHistory answer =
          calls.make(
              Operation.HISTORY, sender -> new BrowserApi(sender).getBrowserHistory(request));
      page = Answers.toRecords(answer).iterator();
      String next = answer.getNext();
      isLast = next == null;
      request.cursor(next);
    }
    return page.hasNext();
  }

  @Override
  public BrowserRecord next() {
    if (!hasNext()) throw new NoSuchElementException("The history has no more browsers.");
    return page.next();
  }
}
