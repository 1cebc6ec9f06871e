package io.github.remotebrowser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
  private static String refusal(Consumer<ClientBuilder> change) {
    ClientBuilder builder = new ClientBuilder(name -> null).token("rbs_secret");
    return assertThrows(
            IllegalArgumentException.class,
            () -> {
              change.accept(builder);
              builder.build();
            })
        .getMessage();
  }

  @Test
  void theDefaultsComeFromTheEnvironment() {
    Map<String, String> variables = Map.of("RBS_URL", "http://h:1/p/", "RBS_TOKEN", "t");
    assertEquals(
        "RemoteBrowserClient[server=h:1]", new ClientBuilder(variables::get).build().toString());
    assertEquals(
        "RemoteBrowserClient[server=127.0.0.1:8080]",
        new ClientBuilder(Map.of("RBS_TOKEN", "t")::get).build().toString());
  }

  @Test
  void theErrorForAMissingTokenSaysHowToPassOne() {
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, new ClientBuilder(name -> null)::build);
    assertTrue(refusal.getMessage().contains("RBS_TOKEN"), refusal.getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ftp://h",
        "h:8080",
        "http://",
        "http:///x",
        "http://h/?a=1",
        "http://h/#a",
        "http://a b",
        "http://h:65536",
        "http://h?",
        "http://h/#",
        ""
      })
  void theErrorForAnInvalidUrlShowsTheUrl(String url) {
    assertTrue(refusal(builder -> builder.url(url)).contains(url), url);
  }

  @Test
  void printedSettingsHideSecrets() {
    ClientBuilder builder = new ClientBuilder(name -> null).url("http://h").token("rbs_secret");
    builder.header("X-Key", "secret").build();
    Settings settings =
        new Settings(
            Settings.readUrl("http://h"),
            "rbs_secret",
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            0,
            Map.of("X-Key", "secret"),
            HttpClient.newHttpClient());
    for (Object each : new Object[] {builder, builder.build(), settings})
      assertFalse(each.toString().contains("secret"), each.toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"http://me:secret@h", "http://me:secret @h", "http://me:secret@", "http://@h"})
  void aPasswordInTheUrlIsNotShown(String url) {
    assertFalse(refusal(builder -> builder.url(url)).contains("secret"));
  }

  @Test
  void theErrorForAnInvalidNumberNamesTheSetting() {
    assertTrue(refusal(builder -> builder.retries(-1)).contains("-1"));
    assertTrue(
        refusal(builder -> builder.timeout(Duration.ofSeconds(-3)))
            .contains("timeout must be more than 0, not PT-3S"));
    assertTrue(refusal(builder -> builder.totalTimeout(Duration.ZERO)).contains("totalTimeout"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"rbs_se cret", "rbs_secret\n", "rbs_säcret"})
  void aTokenThatCannotBeSentIsNotShown(String token) {
    assertFalse(refusal(builder -> builder.token(token)).contains("cret"));
  }

  @Test
  void anEmptyVariableCountsAsNotSet() {
    Map<String, String> variables = Map.of("RBS_URL", "", "RBS_TOKEN", "");
    assertEquals(
        "RemoteBrowserClient[server=127.0.0.1:8080]",
        new ClientBuilder(variables::get).token("t").build().toString());
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, new ClientBuilder(variables::get)::build);
    assertTrue(refusal.getMessage().startsWith("There is no token"), refusal.getMessage());
  }

  @Test
  void theErrorForNullSaysWhatToPass() {
    assertTrue(refusal(builder -> builder.url(null)).contains("RBS_URL"));
    assertTrue(refusal(builder -> builder.token(null)).contains("RBS_TOKEN"));
    assertTrue(refusal(builder -> builder.timeout(null)).contains("Duration"));
    assertTrue(refusal(builder -> builder.totalTimeout(null)).contains("totalTimeout"));
    assertTrue(refusal(builder -> builder.httpClient(null)).contains("httpClient"));
    assertTrue(refusal(builder -> builder.header("X-Key", null)).contains("X-Key"));
    assertTrue(refusal(builder -> builder.header(null, "1")).contains("name"));
    assertTrue(refusal(builder -> builder.build().browser(null)).contains("list()"));
    assertTrue(refusal(builder -> builder.build().open(null)).contains("open()"));
    assertTrue(refusal(builder -> builder.build().query(null, "?")).contains("html"));
    assertTrue(refusal(builder -> builder.build().query("", null)).contains("prompt"));
    assertTrue(refusal(builder -> builder.build().query("", "?", null)).contains("type"));
  }

  @Test
  void anAtSignInThePathIsAllowed() {
    new ClientBuilder(name -> null).token("t").url("http://h/a@b").build();
  }

  @Test
  void anEmptyTokenIsRefused() {
    assertTrue(refusal(builder -> builder.token("")).contains("empty"));
  }

  @Test
  void theErrorForAnInvalidHeaderNamesItWithoutItsValue() {
    String refusal = refusal(builder -> builder.header("X-Key", "secret\n"));
    assertTrue(refusal.contains("X-Key"), refusal);
    assertFalse(refusal.contains("secret"), refusal);
    assertTrue(refusal(builder -> builder.header("Host", "h")).contains("Host"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "authorization",
        "HOST",
        "Content-type",
        "content-length",
        "Connection",
        "transfer-encoding"
      })
  void aHeaderThatTheClientSetsIsRefused(String name) {
    String refusal = refusal(builder -> builder.header(name, "1"));
    assertTrue(refusal.contains(name), refusal);
    assertTrue(refusal.contains("The client sets the header"), refusal);
  }

  @Test
  void anHttpClientThatFollowsRedirectsIsRefused() {
    HttpClient follower =
        HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();
    assertTrue(refusal(builder -> builder.httpClient(follower)).contains("redirects"));
  }

  @Test
  void timeoutsMayBeOfAnyLength() throws Exception {
    try (TestService service = new TestService()) {
      service.answers(200, "{\"sessions\":[]}");
      service
          .client()
          .timeout(Duration.ofDays(1_000_000))
          .totalTimeout(Duration.ofSeconds(Long.MAX_VALUE))
          .build()
          .list();
    }
  }
}
