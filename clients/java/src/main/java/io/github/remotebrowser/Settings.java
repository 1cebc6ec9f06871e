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

/** What a client is told once, checked. */
record Settings(
    URI url,
    String token,
    Duration timeout,
    Duration totalTimeout,
    int retries,
    Map<String, String> headers,
    HttpClient httpClient) {

  // Who wants no end says something like a million days, which is more than clocks count.
  private static final Duration LONGEST = Duration.ofDays(365);

  private static final Set<String> OWN_HEADERS =
      Set.of(
          "authorization",
          "connection",
          "content-length",
          "content-type",
          "host",
          "transfer-encoding");

  Settings {
    timeout = requirePositive("timeout", timeout);
    totalTimeout = requirePositive("totalTimeout", totalTimeout);
    require(retries >= 0, "retries must be 0 or more, not " + retries + ".");
    require(!token.isEmpty(), "The token is empty: pass one to token(…), or set RBS_TOKEN.");
    require(
        token.matches("[!-~]+"),
        "The token has characters that no token has, such as blanks or line ends.");
    require(
        httpClient.followRedirects() == HttpClient.Redirect.NEVER,
        "httpClient follows redirects, which could repeat an Open: build it with Redirect.NEVER.");
    headers.forEach(Settings::requireHeader);
    headers = Map.copyOf(headers);
  }

  Secrets secrets() {
    return new Secrets(token);
  }

  /** Without the token, and headers that may be as secret. */
  @Override
  public String toString() {
    return "Settings[server=" + server() + "]";
  }

  /**
   * @param text the base URL: the service's paths begin after it, whether or not it ends with a
   *     slash
   */
  static URI readUrl(String text) {
    // What stands before an @ may be a password.
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
    require(url.getPort() <= 65535, "url must have a port of 65535 at most, " + shown);
    require(
        url.getUserInfo() == null,
        "url must have no user name or password, " + shown + " There are token and header.");
    require(
        url.getQuery() == null && url.getFragment() == null,
        "url must end with its path, without ? and #, " + shown);
    return url;
  }

  /** Host and port, as errors name it. */
  String server() {
    int usual = "https".equalsIgnoreCase(url.getScheme()) ? 443 : 80;
    return url.getHost() + ":" + (url.getPort() == -1 ? usual : url.getPort());
  }

  private static Duration requirePositive(String name, Duration duration) {
    require(
        !duration.isNegative() && !duration.isZero(),
        name + " must be more than nothing, not " + duration + ".");
    return duration.compareTo(LONGEST) > 0 ? LONGEST : duration;
  }

  private static void requireHeader(String name, String value) {
    require(
        !OWN_HEADERS.contains(name.toLowerCase(Locale.ROOT)),
        "The header \"" + name + "\" is the client's own: leave it out.");
    try {
      HttpRequest.newBuilder().header(name, value);
    } catch (IllegalArgumentException wrong) {
      // Its own words show the value, which may be a secret.
      throw new IllegalArgumentException(
          "The header \"" + name + "\" can't be sent: its name or value is not allowed.");
    }
  }

  /** For what a user passes: says what to do, where a bare NullPointerException would not. */
  static <T> T requireGiven(@Nullable T given, String message) {
    if (given == null) throw new IllegalArgumentException(message);
    return given;
  }

  private static void require(boolean isRight, String message) {
    if (!isRight) throw new IllegalArgumentException(message);
  }
}
