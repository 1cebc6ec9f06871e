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
 * A client for one account of a Remote Browser Service. This class is thread-safe, and you don't
 * have to close it.
 *
 * <p>Failed calls throw a {@link RemoteBrowserError}: an {@link ApiError} if the service refuses
 * the call, a {@link ConnectionError}, a {@link TimeoutError}, an {@link InvalidAnswerError}, or an
 * {@link InterruptedError} if the thread is interrupted.
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

  /** Returns a builder for a client with other settings. */
  public static ClientBuilder builder() {
    return new ClientBuilder(System::getenv);
  }

  /** Opens a browser with the default options: Chromium with a screen, in stealth mode. */
  public RemoteBrowser open() {
    return open(new OpenOptions());
  }

  /**
   * Opens a browser, and returns when it is ready for its first DevTools command.
   *
   * <p>If the response is lost, the client repeats the request, and the service still opens only
   * one browser. With contract version 1.0, the method fails instead, because the service may have
   * opened the browser. {@code waitForPlace} extends the {@code timeout} of each attempt.
   */
  public RemoteBrowser open(OpenOptions options) {
    return open(options, UUID.randomUUID().toString());
  }

  /**
   * Opens a browser with your own key. All calls with the same key and options return the same
   * browser until 24 hours after its end, even if your program restarts in between. Services of
   * contract version 1.0 ignore the key.
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
            sender -> new BrowserApi(sender).openBrowser(key, options));
    // Version 1.0 opens browsers without an id.
    if (opened.getId() != null) calls.noteKeys();
    return new RemoteBrowser(calls, Answers.toAddress(opened), opened.getId());
  }

  /** Returns a handle for an open browser from its address, without sending a request. */
  public RemoteBrowser browser(String address) {
    if (address == null || address.isBlank())
      throw new IllegalArgumentException(
          "The address is empty: pass one from list() or address().");
    return new RemoteBrowser(calls, address, null);
  }

  /**
   * Returns a handle for an open or ended browser, without sending a request. Requires contract
   * version 1.1.
   *
   * @param id an id from {@link RemoteBrowser#id}, {@link #list} or {@link #history}
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
        calls.make(Operation.LIST, sender -> new BrowserApi(sender).getBrowsers()), calls);
  }

  /** Iterates over all open and ended browsers. See {@link #history(HistoryOptions)}. */
  public Iterable<BrowserRecord> history() {
    return history(new HistoryOptions());
  }

  /**
   * Iterates over open browsers, the latest first, and then over ended browsers, the last ended
   * first. The client requests pages while you iterate. With contract version 1.0, iterating throws
   * a {@link io.github.remotebrowser.contract.NotFoundError}.
   */
  public Iterable<BrowserRecord> history(HistoryOptions options) {
    Settings.requireGiven(options, "options is null: pass new HistoryOptions(), or call history().");
    return () -> new History(calls, options);
  }

  /**
   * Closes all open browsers of the account. Browsers that are being opened during the call may
   * stay open. Requires contract version 1.1.
   *
   * @return the number of browsers that the last attempt closed
   */
  public int closeAll() {
    return closeAll(new CloseAllRequest().all(true));
  }

  /** Closes the open browsers with a label. See {@link #closeAll()}. */
  public int closeAllByLabel(String label) {
    Settings.requireGiven(label, "label is null: pass one, or call closeAll().");
    return closeAll(new CloseAllRequest().label(label));
  }

  /** Closes the open browsers with a tag. See {@link #closeAll()}. */
  public int closeAllByTag(String tag) {
    Settings.requireGiven(tag, "tag is null: pass one, or call closeAll().");
    return closeAll(new CloseAllRequest().tag(tag));
  }

  /**
   * Returns the account's plan, its limits, and this month's usage. Requires contract version 1.1.
   */
  public AccountInfo account() {
    return calls.make(Operation.ACCOUNT, sender -> new AccountApi(sender).getAccount());
  }

  /** Queries a language model about an HTML document, and returns text. */
  public String query(String html, String prompt) {
    return Answers.toText(ask(html, prompt, null));
  }

  /**
   * Queries a language model about an HTML document, and returns JSON whose structure depends on
   * the prompt.
   */
  public JsonNode queryJson(String html, String prompt) {
    return Answers.toValue(ask(html, prompt, "json"));
  }

  /**
   * Queries a language model about an HTML document, and returns a value of the given type.
   *
   * @param type a record, a class that Jackson can read, an array of them, or a type such as {@code
   *     Double} or {@code String}. All components of a record are required, except {@code
   *     Optional}s
   * @throws InvalidAnswerError if the value doesn't match the type
   */
  public <T> T query(String html, String prompt, Class<T> type) {
    Settings.requireGiven(type, "type is null: pass a class, such as String.class.");
    JsonNode value = Answers.toValue(ask(html, prompt, ValueType.toSchema(type)));
    return ValueType.read(value, type, settings.secrets());
  }

  /** Leaves out the token, which is a secret. */
  @Override
  public String toString() {
    return "RemoteBrowserClient[server=" + settings.server() + "]";
  }

  /** Converts the seconds for which the service may delay its response. */
  private static Duration mayWait(@Nullable Double seconds) {
    return seconds == null ? Duration.ZERO : Duration.ofMillis((long) Math.max(0, seconds * 1000));
  }

  private int closeAll(CloseAllRequest request) {
    return Answers.toCount(
        calls.make(
            Operation.CLOSE_ALL, sender -> new BrowserApi(sender).closeAllBrowsers(request)));
  }

  private QueryResult ask(String html, String prompt, @Nullable String format) {
    Settings.requireGiven(html, "html is null: pass the document, as HTML.");
    Settings.requireGiven(prompt, "prompt is null: pass a question about the document.");
    QueryRequest request = new QueryRequest().html(html).prompt(prompt).responseFormat(format);
    return calls.make(Operation.QUERY, sender -> new AiApi(sender).queryAi(request));
  }
}
