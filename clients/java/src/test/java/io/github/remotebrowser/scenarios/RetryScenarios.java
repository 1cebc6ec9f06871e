package io.github.remotebrowser.scenarios;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.remotebrowser.ConnectionError;
import io.github.remotebrowser.RemoteBrowser;
import io.github.remotebrowser.contract.BadRequestError;
import io.github.remotebrowser.contract.BrowserUnavailableError;
import io.github.remotebrowser.contract.IdempotencyKeyReusedError;
import io.github.remotebrowser.contract.UpdateOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Scenarios about retries. */
final class RetryScenarios {
  static final Map<String, Registry.Play> PLAYS =
      Map.ofEntries(
          Map.entry("retry.when-told", RetryScenarios::whenTold),
          Map.entry("retry.rate", RetryScenarios::rate),
          Map.entry("retry.bounded", RetryScenarios::bounded),
          Map.entry("retry.not-installed", RetryScenarios::notInstalled),
          Map.entry("retry.open-again", RetryScenarios::openAgain),
          Map.entry("retry.open-key", RetryScenarios::openKey),
          Map.entry("retry.open-once", RetryScenarios::openOnce),
          Map.entry("retry.query-once", RetryScenarios::queryOnce),
          Map.entry("retry.list-again", RetryScenarios::listAgain),
          Map.entry("retry.close-again", RetryScenarios::closeAgain),
          Map.entry("retry.update-again", RetryScenarios::updateAgain));

  private RetryScenarios() {}

  private static void whenTold(Scene scene) throws Exception {
    scene.with("busy-once").build().open(scene.options());
    assertEquals(List.of("openBrowser", "openBrowser"), scene.operations("busy-once"));
    scene.closeAll();
  }

  private static void rate(Scene scene) throws Exception {
    scene.with("limited-once").build().list();
    assertEquals(2, scene.log("limited-once").size());
  }

  private static void bounded(Scene scene) throws Exception {
    BrowserUnavailableError error =
        assertThrows(
            BrowserUnavailableError.class,
            () -> scene.with("busy-always").retries(1).build().open(scene.options()));
    assertEquals(Optional.of(Duration.ofSeconds(1)), error.retryAfter());
    assertEquals(2, scene.log("busy-always").size());
  }

  private static void notInstalled(Scene scene) throws Exception {
    BrowserUnavailableError error =
        assertThrows(
            BrowserUnavailableError.class,
            () -> scene.with("not-installed").build().open(scene.options()));
    assertEquals(Optional.empty(), error.retryAfter());
    assertEquals(1, scene.log("not-installed").size());
    if (!scene.server.name().equals("real")) return;
    BrowserUnavailableError missing =
        assertThrows(
            BrowserUnavailableError.class,
            () -> ErrorScenario.openMissingKind(scene.with("pass"), scene));
    assertEquals(Optional.empty(), missing.retryAfter());
    assertEquals(1, scene.log("pass").size());
  }

  private static void openAgain(Scene scene) throws Exception {
    try (RemoteBrowser browser = scene.with("cut-after").build().open(scene.options())) {
      assertEquals(
          List.of("openBrowser", "getAccount", "openBrowser"), scene.operations("cut-after"));
      if (!scene.isMock()) assertEquals(List.of(browser.address()), scene.addresses());
    }
  }

  private static void openKey(Scene scene) {
    String key = scene.nonce;
    try (RemoteBrowser browser = scene.client().open(scene.options(), key)) {
      assertEquals(browser.address(), scene.client().open(scene.options(), key).address());
      assertEquals(List.of(browser.address()), scene.addresses());
      assertThrows(
          IdempotencyKeyReusedError.class,
          () -> scene.client().open(scene.options().headless(false), key));
      assertThrows(BadRequestError.class, () -> scene.client().open(scene.options(), ""));
    }
  }

  private static void openOnce(Scene scene) throws Exception {
    String fault = "first-version-cut-after";
    assertThrows(ConnectionError.class, () -> scene.with(fault).build().open(scene.options()));
    assertEquals(List.of("openBrowser", "getAccount"), scene.operations(fault));
    scene.closeAll();
  }

  private static void queryOnce(Scene scene) throws Exception {
    assertThrows(
        ConnectionError.class,
        () -> scene.with("cut-after").build().query("<p>Kettle</p>", "What is it?"));
    assertEquals(1, scene.log("cut-after").size());
  }

  private static void listAgain(Scene scene) throws Exception {
    scene.with("cut-after").build().list();
    assertEquals(2, scene.log("cut-after").size());
  }

  private static void updateAgain(Scene scene) throws Exception {
    try (RemoteBrowser browser = scene.client().open(scene.options())) {
      RemoteBrowser other = scene.with("cut-after").build().browser(browser.address());
      assertEquals("open", other.update(new UpdateOptions().keepOpen(60)).state());
      assertEquals(List.of("updateBrowser", "updateBrowser"), scene.operations("cut-after"));
    }
  }

  private static void closeAgain(Scene scene) throws Exception {
    RemoteBrowser browser = scene.client().open(scene.options());
    scene.with("cut-after").build().browser(browser.address()).close();
    assertEquals(List.of("closeBrowser", "closeBrowser"), scene.operations("cut-after"));
    assertFalse(scene.isListed(browser.address()));
  }
}
