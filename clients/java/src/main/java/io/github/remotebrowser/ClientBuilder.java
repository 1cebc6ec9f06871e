package io.github.remotebrowser;

import jakarta.annotation.Nullable;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** Builds a {@link RemoteBrowserClient}. All settings are optional. */
public final class ClientBuilder {
  private static final String LOCAL_URL = "http://127.0.0.1:8080";
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  private final UnaryOperator<String> environment;
  private final Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  private @Nullable String url;
  private @Nullable String token;
  private Duration timeout = Duration.ofSeconds(90);
  private Duration totalTimeout = Duration.ofSeconds(300);
  private int retries = 2;
  private @Nullable HttpClient httpClient;

  /**
   * @param environment returns the value of an environment variable, or null
   */
  ClientBuilder(UnaryOperator<String> environment) {
    this.environment = environment;
  }

  /**
   * Sets the service's URL, including a path prefix. Default: {@code RBS_URL}, or else
   * http://127.0.0.1:8080.
   */
  public ClientBuilder url(String url) {
    this.url =
        Settings.requireGiven(url, "url is null: pass one, or leave it out to use RBS_URL.");
    return this;
  }

  /** Sets the account's token. Default: {@code RBS_TOKEN}. */
  public ClientBuilder token(String token) {
    this.token =
        Settings.requireGiven(token, "token is null: pass one, or leave it out to use RBS_TOKEN.");
    return this;
  }

  /**
   * Sets the timeout for one attempt, from connecting to the last byte of the response. It doesn't
   * apply to queries. Default: 90 seconds.
   */
  public ClientBuilder timeout(Duration timeout) {
    this.timeout =
        Settings.requireGiven(
            timeout, "timeout is null: pass a Duration, or leave it out for 90 seconds.");
    return this;
  }

  /**
   * Sets the timeout for a call, including all attempts and the pauses between them. Default: 300
   * seconds.
   */
  public ClientBuilder totalTimeout(Duration totalTimeout) {
    this.totalTimeout =
        Settings.requireGiven(
            totalTimeout,
            "totalTimeout is null: pass a Duration, or leave it out for 300 seconds.");
    return this;
  }

  /** Sets the maximum number of retries of a call, where retrying is safe. Default: 2. */
  public ClientBuilder retries(int retries) {
    this.retries = retries;
    return this;
  }

  /**
   * Adds a header to every request. You can replace {@code User-Agent}, but no other header that
   * the client sets itself.
   */
  public ClientBuilder header(String name, String value) {
    headers.put(
        Settings.requireGiven(name, "A header's name is null: pass one."),
        Settings.requireGiven(value, "The header \"" + name + "\" is null: pass a value."));
    return this;
  }

  /**
   * Sets the HTTP client, for example to use a proxy or your own certificates. It must not follow
   * redirects. The default client has a connect timeout of 10 seconds.
   */
  public ClientBuilder httpClient(HttpClient httpClient) {
    this.httpClient =
        Settings.requireGiven(httpClient, "httpClient is null: pass one, or leave it out.");
    return this;
  }

  /**
   * Creates the client.
   *
   * @throws IllegalArgumentException if a setting is invalid, or the token is missing
   */
  public RemoteBrowserClient build() {
    String place = url == null ? variable("RBS_URL") : url;
    String secret = token == null ? variable("RBS_TOKEN") : token;
    if (secret == null)
      throw new IllegalArgumentException(
          "There is no token: pass one to token(…), or set RBS_TOKEN.");
    return new RemoteBrowserClient(
        new Settings(
            Settings.readUrl(place == null ? LOCAL_URL : place),
            secret,
            timeout,
            totalTimeout,
            retries,
            headers,
            httpClient == null
                ? HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT).build()
                : httpClient));
  }

  /** Returns null if the variable is missing or empty. */
  private @Nullable String variable(String name) {
    String value = environment.apply(name);
    return value == null || value.isEmpty() ? null : value;
  }
}
