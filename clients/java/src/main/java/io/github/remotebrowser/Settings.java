package io.github.remotebrowser;

import jakarta.annotation.Nullable;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The validated settings of a client. */
record Settings(
    URI url,
    String token,
    Duration timeout,
    Duration totalTimeout,
    int retries,
    Map<String, String> headers,
    HttpClient httpClient) {

  // Longer timeouts, which users pass to disable the limit, would overflow the clock.
  private static final Duration LONGEST = Duration.ofDays(365);

  private static final Set<String> OWN_HEADERS =
      Set.of(
          "authorization",
          "connection",
          "content-length",
          "content-type",
          "host",
          // All calls with the same key would open one browser.
          "idempotency-key",
          "transfer-encoding");

  Settings {
    timeout = requirePositive("timeout", timeout);
    totalTimeout = requirePositive("totalTimeout", totalTimeout);
    require(retries >= 0, "retries must be 0 or more, not " + retries + ".");
    require(!token.isEmpty(), "The token is empty: pass one to token(…), or set RBS_TOKEN.");
    require(
        token.matches("[!-~]+"),
        "The token has characters that aren't allowed in tokens, such as spaces or line breaks.");
    require(
        httpClient.followRedirects() == HttpClient.Redirect.NEVER,
        "httpClient follows redirects, which could repeat an Open request: build it with Redirect.NEVER.");
    headers.forEach(Settings::requireHeader);
    headers = Map.copyOf(headers);
  }

  Secrets secrets() {
    return new Secrets(token);
  }

  /** Leaves out the token and the headers, which may be secret. */
  @Override
  public String toString() {
    return "Settings[server=" + server() + "]";
  }

  /**
   * @param text the service's URL, with or without a trailing slash
   */
  static URI readUrl(String text) {
    // The part before an @ may be a password.
    String shown = "not be \"" + text.replaceAll("//.*@", "//…@") + "\".";
    URI url;
    try {
      url = new URI(text.replaceAll("/+$", ""));
    } catch (URISyntaxException wrong) {
      throw new IllegalArgumentException("url must be a URL, " + shown);
    }
    boolean isHttp =
        "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
    require(
        isHttp && url.getHost() != null,
        "url must begin with http:// or https:// and a host, " + shown);
    require(url.getPort() <= 65535, "url must have a port up to 65535, " + shown);
    require(
        url.getUserInfo() == null,
        "url must not have a user name or password, " + shown + " Use token or header.");
    require(
        url.getQuery() == null && url.getFragment() == null,
        "url must not contain ? or #, " + shown);
    return url;
  }

  /** Returns host and port, for error messages. */
  String server() {
    int usual = "https".equalsIgnoreCase(url.getScheme()) ? 443 : 80;
    return url.getHost() + ":" + (url.getPort() == -1 ? usual : url.getPort());
  }

  private static Duration requirePositive(String name, Duration duration) {
    require(
        !duration.isNegative() && !duration.isZero(),
        name + " must be more than 0, not " + duration + ".");
    return duration.compareTo(LONGEST) > 0 ? LONGEST : duration;
  }

  private static void requireHeader(String name, String value) {
    require(
        !OWN_HEADERS.contains(name.toLowerCase(Locale.ROOT)),
        "The client sets the header \"" + name + "\" itself: remove it.");
    try {
      HttpRequest.newBuilder().header(name, value);
    } catch (IllegalArgumentException wrong) {
      // The original message shows the value, which may be a secret.
      throw new IllegalArgumentException(
          "The header \"" + name + "\" can't be sent: its name or value is not allowed.");
    }
  }

  /** Refuses a key that HTTP can't send unchanged in a header. The service checks the length. */
  static String requireKey(@Nullable String key) {
    requireGiven(key, "idempotencyKey is null: pass one, or call open(options).");
    require(
        key.matches("[!-~]*"), "idempotencyKey must be visible ASCII characters, without spaces.");
    return key;
  }

  /** Refuses null with the given message. */
  static <T> T requireGiven(@Nullable T given, String message) {
    if (given == null) throw new IllegalArgumentException(message);
    return given;
  }

  private static void require(boolean isRight, String message) {
    if (!isRight) throw new IllegalArgumentException(message);
  }
}
