package io.github.remotebrowser;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.remotebrowser.contract.AccountInfo;
import io.github.remotebrowser.contract.BrowserRecord;
import io.github.remotebrowser.contract.CloseAllRequest;
import io.github.remotebrowser.contract.HistoryOptions;
import io.github.remotebrowser.contract.OpenOptions;
import io.github.remotebrowser.contract.OpenResult;
import io.github.remotebrowser.contract.QueryRequest;
import io.github.remotebrowser.contract.QueryResult;
import io.github.remotebrowser.contract.Session;
import io.github.remotebrowser.core.AccountApi;
import io.github.remotebrowser.core.AiApi;
import io.github.remotebrowser.core.BrowserApi;
import jakarta.annotation.Nullable;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/**
 * A client for one account of a Remote Browser Service. It is thread-safe, and you don't have to
 * close it.
 *
 * <p>When a method fails, it throws a {@link RemoteBrowserError}: an {@link ApiError} when the
 * service refuses the call, a {@link ConnectionError}, a {@link TimeoutError}, an {@link
 * InvalidAnswerError}, or an {@link InterruptedError} when the thread is interrupted.
 */
public final class RemoteBrowserClient {
  private final Settings settings;
  private final Calls calls;

  RemoteBrowserClient(Settings settings) {
    this.settings = settings;
    this.calls = new Calls(settings);
  }

  /** Creates a client with the URL and token from {@code RBS_URL} and {@code RBS_TOKEN}. */
  public static RemoteBrowserClient create() {
    return builder().build();
  }

  /** Starts building a client with other settings. */
  public static ClientBuilder builder() {
    return new ClientBuilder(System::getenv);
  }

  /** Opens a browser with the default options: with a screen, in stealth mode. */
  public RemoteBrowser open() {
    return open(new OpenOptions());
  }

  /**
   * Opens a browser, and returns when it is ready for its first DevTools command. If the response
   * is lost, the client sends the request again, and the service still opens only one browser. With
   * contract version 1.0, the method fails instead, because the browser may have been opened. With
   * {@code waitForPlace}, each attempt may take that much longer than {@code timeout}.
   */
  public RemoteBrowser open(OpenOptions options) {
    return open(options, UUID.randomUUID().toString());
  }

  /**
   * Opens a browser with a key of your own. All calls with the same key and the same options return
   * the same browser, until 24 hours after its end, for example after your program was restarted.
   * Services of contract version 1.0 ignore the key.
   *
   * @param idempotencyKey 1 to 255 visible ASCII characters
   */
  public RemoteBrowser open(OpenOptions options, String idempotencyKey) {
    Settings.requireGiven(options, "options is null: pass new OpenOptions(), or call open().");
    String key = Settings.requireKey(idempotencyKey);
    OpenResult opened =
        calls.makeWaiting(
            mayWait(options.getWaitForPlace()),
            Operation.OPEN,
            wire -> new BrowserApi(wire).openBrowser(key, options));
    // Version 1.0 opens browsers without an id.
    if (opened.getId() != null) calls.noteKeys();
    return new RemoteBrowser(calls, Answers.toAddress(opened), opened.getId());
  }

  /** Returns a handle for an open browser from its address. Sends nothing. */
  public RemoteBrowser browser(String address) {
    if (address == null || address.isBlank())
      throw new IllegalArgumentException(
          "The address is empty: pass one from list() or address().");
    return new RemoteBrowser(calls, address, null);
  }

  /**
   * Returns a handle for a browser, open or ended, from its id, which comes from {@link
   * RemoteBrowser#id}, {@link #list} or {@link #history}. Sends nothing.
   */
  public BrowserHandle browserById(String id) {
    if (id == null || id.isBlank())
      throw new IllegalArgumentException(
          "The id is empty: pass one from id(), list() or history().");
    return new BrowserHandle(calls, null, id);
  }

  /** Lists the account's open browsers, oldest first. */
  public List<Session> list() {
    return Answers.toSessions(
        calls.make(Operation.LIST, wire -> new BrowserApi(wire).getBrowsers()), calls);
  }

  /** Iterates over all open and ended browsers. See {@link #history(HistoryOptions)}. */
  public Iterable<BrowserRecord> history() {
    return history(new HistoryOptions());
  }

  /**
   * Iterates over open and ended browsers: first the open ones, the last opened first; then the
   * ended ones, the last ended first. The client requests them in parts, as you iterate. It needs
   * contract version 1.1; otherwise, iterating throws a {@link
   * io.github.remotebrowser.contract.NotFoundError}.
   */
  public Iterable<BrowserRecord> history(HistoryOptions options) {
    Settings.requireGiven(options, "options is null: pass new HistoryOptions(), or call history().");
    return () -> new History(calls, options);
  }

  /**
   * Closes all open browsers of the account. Browsers that are being opened during the call
   * may stay open. It needs contract version 1.1.
   *
   * @return how many browsers were closed. If the call was retried, browsers that earlier
   *     attempts closed are not counted
   */
  public int closeAll() {
    return closeAll(new CloseAllRequest().all(true));
  }

  /** Closes the open browsers that have a label, as {@link #closeAll()} does for all of them. */
  public int closeAllByLabel(String label) {
    Settings.requireGiven(label, "label is null: pass one, or call closeAll().");
    return closeAll(new CloseAllRequest().label(label));
  }

  /** Closes the open browsers that have a tag, as {@link #closeAll()} does for all of them. */
  public int closeAllByTag(String tag) {
    Settings.requireGiven(tag, "tag is null: pass one, or call closeAll().");
    return closeAll(new CloseAllRequest().tag(tag));
  }

  /**
   * Returns the account's plan, its limits, and what it has used in this month. It needs contract
   * version 1.1.
   */
  public AccountInfo account() {
    return calls.make(Operation.ACCOUNT, wire -> new AccountApi(wire).getAccount());
  }

  /** Asks a language model about an HTML document, and returns text. */
  public String query(String html, String prompt) {
    return Answers.toText(ask(new QueryRequest().html(html).prompt(prompt)));
  }

  /**
   * Asks a language model about an HTML document, and returns JSON in a shape that fits the prompt.
   */
  public JsonNode queryJson(String html, String prompt) {
    return Answers.toValue(
        ask(new QueryRequest().html(html).prompt(prompt).responseFormat("json")));
  }

  /**
   * Asks a language model about an HTML document, and returns a value of a type.
   *
   * @param type A record, a class that Jackson can read, an array of them, or a type such as {@code
   *     Double} and {@code String}. All components of a record are required. Use an {@code
   *     Optional} for a component that the document may not contain.
   */
  public <T> T query(String html, String prompt, Class<T> type) {
    Settings.requireGiven(type, "type is null: pass a class, such as String.class.");
    QueryRequest request =
        new QueryRequest().html(html).prompt(prompt).responseFormat(ValueType.toSchema(type));
    return ValueType.read(Answers.toValue(ask(request)), type, settings.secrets());
  }

  /** Without the token, which is a secret. */
  @Override
  public String toString() {
    return "RemoteBrowserClient[server=" + settings.server() + "]";
  }

  /** How long the service is asked to wait before it responds. */
  private static Duration mayWait(@Nullable Double seconds) {
    return seconds == null ? Duration.ZERO : Duration.ofMillis((long) Math.max(0, seconds * 1000));
  }

  private int closeAll(CloseAllRequest request) {
    return Answers.toCount(
        calls.make(Operation.CLOSE_ALL, wire -> new BrowserApi(wire).closeAllBrowsers(request)));
  }

  private QueryResult ask(QueryRequest request) {
    Settings.requireGiven(request.getHtml(), "html is null: pass the document, as HTML.");
    Settings.requireGiven(
        request.getPrompt(), "prompt is null: pass a question about the document.");
    return calls.make(Operation.QUERY, wire -> new AiApi(wire).queryAi(request));
  }
}
