package io.github.remotebrowser;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.remotebrowser.contract.OpenOptions;
import io.github.remotebrowser.contract.QueryRequest;
import io.github.remotebrowser.contract.QueryResult;
import io.github.remotebrowser.contract.Session;
import io.github.remotebrowser.core.AiApi;
import io.github.remotebrowser.core.BrowserApi;
import java.util.List;

/**
 * An account at a Remote Browser Service. May be used from several threads at once; it holds
 * nothing that would have to be closed.
 *
 * <p>Every method throws a {@link RemoteBrowserError} when it fails: {@link ApiError} when the
 * service refuses, {@link ConnectionError}, {@link TimeoutError}, {@link InvalidAnswerError}, or
 * {@link InterruptedError} when its thread is interrupted.
 */
public final class RemoteBrowserClient {
  private final Settings settings;
  private final Calls calls;

  RemoteBrowserClient(Settings settings) {
    this.settings = settings;
    this.calls = new Calls(settings);
  }

  /** A client that takes its URL and token from {@code RBS_URL} and {@code RBS_TOKEN}. */
  public static RemoteBrowserClient create() {
    return builder().build();
  }

  /** A client with settings of your own. */
  public static ClientBuilder builder() {
    return new ClientBuilder(System::getenv);
  }

  /** Opens a browser without any options: with a screen, in stealth mode. */
  public RemoteBrowser open() {
    return open(new OpenOptions());
  }

  /** Opens a browser, and returns when it is ready for its first command. */
  public RemoteBrowser open(OpenOptions options) {
    Settings.requireGiven(options, "options is null: pass new OpenOptions(), or call open().");
    String address =
        Answers.toAddress(
            calls.make(Operation.OPEN, wire -> new BrowserApi(wire).openBrowser(options)));
    return new RemoteBrowser(calls, address);
  }

  /** A browser that is open already, by its address. Nothing is sent. */
  public RemoteBrowser browser(String address) {
    if (address == null || address.isBlank())
      throw new IllegalArgumentException(
          "There is no address: pass one of list(), or of address().");
    return new RemoteBrowser(calls, address);
  }

  /** The account's open browsers, the oldest first. */
  public List<Session> list() {
    return Answers.toSessions(
        calls.make(Operation.LIST, wire -> new BrowserApi(wire).getBrowsers()));
  }

  /** What a language model makes of an HTML document, as running text. */
  public String query(String html, String prompt) {
    return Answers.toText(ask(new QueryRequest().html(html).prompt(prompt)));
  }

  /**
   * What a language model makes of an HTML document, as JSON of whatever shape suits the prompt.
   */
  public JsonNode queryJson(String html, String prompt) {
    return Answers.toValue(
        ask(new QueryRequest().html(html).prompt(prompt).responseFormat("json")));
  }

  /**
   * What a language model makes of an HTML document, as a value of a type.
   *
   * @param type A record, a class that Jackson can read, an array of them, or a type such as {@code
   *     Double} and {@code String}. All components of a record must be in the answer; one that the
   *     document may not tell is an {@code Optional}.
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

  private QueryResult ask(QueryRequest request) {
    Settings.requireGiven(request.getHtml(), "html is null: pass the document, as HTML.");
    Settings.requireGiven(request.getPrompt(), "prompt is null: pass a question to the document.");
    return calls.make(Operation.QUERY, wire -> new AiApi(wire).queryAi(request));
  }
}
