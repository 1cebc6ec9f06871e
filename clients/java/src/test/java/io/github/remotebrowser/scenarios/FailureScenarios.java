package io.github.remotebrowser.scenarios;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.remotebrowser.ApiError;
import io.github.remotebrowser.ClientBuilder;
import io.github.remotebrowser.Clients;
import io.github.remotebrowser.ConnectionError;
import io.github.remotebrowser.InvalidAnswerError;
import io.github.remotebrowser.RemoteBrowser;
import io.github.remotebrowser.RemoteBrowserClient;
import io.github.remotebrowser.TimeoutError;
import io.github.remotebrowser.contract.BrowserNotFoundError;
import io.github.remotebrowser.contract.BrowserUnavailableError;
import io.github.remotebrowser.contract.NotFoundError;
import io.github.remotebrowser.contract.Session;
import io.github.remotebrowser.contract.UpdateOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.function.Executable;

/** Scenarios about responses that aren't from the service, timeouts, connections and settings. */
final class FailureScenarios {
  static final Map<String, Registry.Play> PLAYS =
      Map.ofEntries(
          Map.entry("error.new", FailureScenarios::newError),
          Map.entry("error.thin", FailureScenarios::thin),
          Map.entry("error.not-ours", FailureScenarios::notOurs),
          Map.entry("answer.not-json", FailureScenarios::notJson),
          Map.entry("answer.new-members", FailureScenarios::newMembers),
          Map.entry("answer.first-version", FailureScenarios::firstVersion),
          Map.entry("connection.refused", FailureScenarios::refused),
          Map.entry("timeout.answer", FailureScenarios::answerTimeout),
          Map.entry("timeout.body", FailureScenarios::bodyTimeout),
          Map.entry("timeout.total", FailureScenarios::totalTimeout),
          Map.entry("settings.environment", FailureScenarios::environment),
          Map.entry("settings.no-token", FailureScenarios::noToken),
          Map.entry("secrets", SecretsScenario::act));

  private FailureScenarios() {}

  private static void newError(Scene scene) {
    ApiError error = assertThrows(ApiError.class, () -> scene.with("new-error").build().list());
    assertSame(ApiError.class, error.getClass());
    assertEquals("SomethingNew", error.name());
    assertEquals(409, error.status());
  }

  private static void thin(Scene scene) {
    RemoteBrowser browser = scene.with("thin-error").build().browser("ws://h/devtools/browser/a");
    BrowserNotFoundError error = assertThrows(BrowserNotFoundError.class, browser::startDesktop);
    assertEquals(Optional.of("thin-1"), error.requestId());
    assertEquals("BrowserNotFound (404) [request thin-1]", error.getMessage());
    browser.close();
  }

  private static void notOurs(Scene scene) {
    ApiError error =
        assertThrows(ApiError.class, () -> scene.with("gateway").retries(0).build().list());
    assertSame(ApiError.class, error.getClass());
    assertEquals("", error.name());
    assertEquals(502, error.status());
  }

  private static void notJson(Scene scene) {
    assertThrows(InvalidAnswerError.class, () -> scene.with("not-json").build().list());
  }

  private static void newMembers(Scene scene) {
    RemoteBrowserClient client = scene.with("new-members").build();
    client.account();
    client.history().iterator().hasNext();
    if (scene.isMock()) {
      assertFalse(client.list().isEmpty());
      return;
    }
    try (RemoteBrowser browser = client.open(scene.options())) {
      assertTrue(
          client.list().stream().anyMatch(session -> session.address().equals(browser.address())));
    }
  }

  private static void firstVersion(Scene scene) {
    RemoteBrowserClient client = scene.with("first-version").build();
    try (RemoteBrowser browser = client.open(scene.options().tags(List.of("new")))) {
      assertNull(browser.id());
      for (Session session : client.list()) {
        assertNull(session.id());
        assertNull(session.tags());
        assertNull(session.clients());
      }
      List<Executable> calls =
          List.of(
              browser::info,
              browser::awaitClosed,
              browser::screenshot,
              () -> browser.update(new UpdateOptions().keepOpen(60)),
              () -> client.history().iterator().hasNext(),
              () -> client.closeAllByLabel(scene.nonce),
              client::account);
      for (Executable call : calls) assertThrows(NotFoundError.class, call);
    }
  }

  private static void refused(Scene scene) throws Exception {
    String url = SecretsScenario.freeUrl();
    RemoteBrowserClient client = scene.builder().url(url).retries(0).build();
    ConnectionError error = assertThrows(ConnectionError.class, client::list);
    assertTrue(error.getMessage().contains(url.replace("http://", "")), error.getMessage());
  }

  private static void answerTimeout(Scene scene) throws Exception {
    // Long enough for the request to be sent on a busy machine.
    RemoteBrowserClient client = scene.with("silent").timeout(Duration.ofSeconds(2)).retries(0).build();
    assertThrows(TimeoutError.class, () -> client.open(scene.options()));
    assertEquals(1, scene.log("silent").size());
  }

  private static void bodyTimeout(Scene scene) {
    RemoteBrowserClient client =
        scene.with("half").timeout(Duration.ofMillis(300)).retries(0).build();
    assertThrows(TimeoutError.class, client::list);
  }

  private static void totalTimeout(Scene scene) throws Exception {
    assertThrows(
        BrowserUnavailableError.class, () -> scene.with("busy-long").build().open(scene.options()));
    assertEquals(1, scene.log("busy-long").size());
    RemoteBrowserClient client = scene.with("silent").totalTimeout(Duration.ofMillis(500)).build();
    assertThrows(TimeoutError.class, client::list);
  }

  private static void environment(Scene scene) {
    Clients.builder(Map.of("RBS_URL", scene.server.url(), "RBS_TOKEN", scene.server.token()))
        .build()
        .list();
  }

  private static void noToken(Scene scene) {
    ClientBuilder builder = Clients.builder(Map.of("RBS_URL", scene.server.url()));
    IllegalArgumentException error = assertThrows(IllegalArgumentException.class, builder::build);
    assertTrue(error.getMessage().contains("RBS_TOKEN"), error.getMessage());
  }
}
