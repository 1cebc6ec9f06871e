package io.github.remotebrowser;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.remotebrowser.contract.BrowserHistory;
import io.github.remotebrowser.contract.BrowserRecord;
import io.github.remotebrowser.contract.CloseAllResult;
import io.github.remotebrowser.contract.Desktop;
import io.github.remotebrowser.contract.ListedSession;
import io.github.remotebrowser.contract.OpenResult;
import io.github.remotebrowser.contract.QueryResult;
import io.github.remotebrowser.contract.Session;
import io.github.remotebrowser.contract.SessionList;
import io.github.remotebrowser.contract.StartRemoteDesktopResult;
import java.util.List;

/** Converts responses to users' types, and refuses missing members, which the core accepts. */
final class Answers {
  private Answers() {}

  static String toAddress(OpenResult result) {
    return require(Operation.OPEN, "address", result.getAddress());
  }

  static List<Session> toSessions(SessionList list, Calls calls) {
    return require(Operation.LIST, "sessions", list.getSessions()).stream()
        .map(session -> toSession(require(Operation.LIST, "session in its list", session), calls))
        .toList();
  }

  static List<BrowserRecord> toRecords(BrowserHistory history) {
    return require(Operation.HISTORY, "browsers", history.getBrowsers()).stream()
        .map(record -> require(Operation.HISTORY, "browser in its list", record))
        .toList();
  }

  static int toCount(CloseAllResult result) {
    return require(Operation.CLOSE_ALL, "closed", result.getClosed());
  }

  static Desktop toDesktop(StartRemoteDesktopResult result) {
    return new Desktop(
        require(Operation.START_DESKTOP, "password", result.getPassword()),
        require(Operation.START_DESKTOP, "viewPassword", result.getViewPassword()),
        require(Operation.START_DESKTOP, "url", result.getUrl()),
        require(Operation.START_DESKTOP, "rfbUrl", result.getRfbUrl()));
  }

  static String toText(QueryResult result) {
    return require(Operation.QUERY, "response", result.getResponse());
  }

  /** Returns any JSON value, including null, unless the response has none. */
  static JsonNode toValue(QueryResult result) {
    return (JsonNode) require(Operation.QUERY, "value", result.getValue());
  }

  private static Session toSession(ListedSession listed, Calls calls) {
    String address = require(Operation.LIST, "address", listed.getAddress());
    return new Session(
        require(Operation.LIST, "startedOn", listed.getStartedOn()),
        listed.getLabel(),
        address,
        listed.getVncpass(),
        listed.getId(),
        listed.getBrowser(),
        listed.getHeadless(),
        listed.getTags(),
        listed.getKeepOpen(),
        listed.getClosesOn(),
        listed.getClients(),
        listed.getDesktop(),
        new BrowserHandle(calls, address, listed.getId()));
  }

  private static <T> T require(Operation operation, String member, T value) {
    if (value != null) return value;
    throw new InvalidAnswerError("The response to " + operation + " has no " + member + ".", null);
  }
}
