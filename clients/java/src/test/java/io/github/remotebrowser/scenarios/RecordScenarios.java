package io.github.remotebrowser.scenarios;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.remotebrowser.RemoteBrowser;
import io.github.remotebrowser.RemoteBrowserClient;
import io.github.remotebrowser.contract.AccountInfo;
import io.github.remotebrowser.contract.BrowserRecord;
import io.github.remotebrowser.contract.HistoryOptions;
import io.github.remotebrowser.contract.Session;
import io.github.remotebrowser.contract.UpdateOptions;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Scenarios about records of browsers, their history and the account. */
final class RecordScenarios {
  static final Map<String, Registry.Play> PLAYS =
      Map.of(
          "tags", RecordScenarios::tags,
          "info", RecordScenarios::info,
          "closed", RecordScenarios::closed,
          "update", RecordScenarios::update,
          "history", RecordScenarios::history,
          "close-all", RecordScenarios::closeAll,
          "account", RecordScenarios::account,
          "session-methods", RecordScenarios::sessionMethods);

  private RecordScenarios() {}

  private static void tags(Scene scene) {
    List<String> tags = List.of("nightly", "übung");
    try (RemoteBrowser browser =
        scene.client().open(scene.options().tags(tags).lifetime(3600))) {
      assertTrue(browser.id().matches("br_[a-z0-9]{26}"));
      if (scene.isMock()) return;
      Session session = find(scene);
      assertEquals(browser.id(), session.id());
      assertEquals(tags, session.tags());
      assertEquals(true, session.headless());
      assertEquals(0, session.clients());
    }
  }

  private static void info(Scene scene) {
    RemoteBrowserClient client = scene.client();
    RemoteBrowser browser = client.open(scene.options());
    BrowserRecord opened = browser.info();
    assertEquals("open", opened.state());
    assertNull(opened.reason());
    assertTrue(opened.units() > 0);
    browser.close();
    if (scene.isMock()) return;
    BrowserRecord ended = client.browserById(opened.id()).info();
    assertEquals(browser.id(), ended.id());
    assertEquals("closed", ended.state());
    assertEquals("requested", ended.reason());
    assertEquals(scene.nonce, ended.label());
    assertNotNull(ended.endedOn());
    assertNull(ended.address());
  }

  private static void closed(Scene scene) {
    RemoteBrowser browser = scene.client().open(scene.options().keepOpen(1));
    assertEquals("inactive", browser.awaitClosed(Duration.ofSeconds(30)));
  }

  private static void update(Scene scene) {
    List<String> tags = List.of("new", "newer");
    try (RemoteBrowser browser = scene.client().open(scene.options())) {
      BrowserRecord changed =
          browser.update(new UpdateOptions().keepOpen(600).lifetime(7200).tags(tags));
      assertEquals("open", changed.state());
      if (scene.isMock()) return;
      assertEquals(600, changed.keepOpen());
      assertEquals(tags, changed.tags());
      assertEquals(600, find(scene).keepOpen());
      assertEquals(tags, find(scene).tags());
    }
  }

  private static void history(Scene scene) {
    RemoteBrowserClient client = scene.client();
    RemoteBrowser first = client.open(scene.options());
    first.close();
    try (RemoteBrowser second = client.open(scene.options())) {
      List<BrowserRecord> found = new ArrayList<>();
      OffsetDateTime since = OffsetDateTime.now().minusHours(1);
      client.history(new HistoryOptions().since(since).label(scene.nonce)).forEach(found::add);
      assertEquals(List.of("open", "closed"), found.stream().map(BrowserRecord::state).toList());
      if (scene.isMock()) return;
      assertEquals(
          List.of(second.id(), first.id()), found.stream().map(BrowserRecord::id).toList());
    }
  }

  private static void closeAll(Scene scene) {
    RemoteBrowserClient client = scene.client();
    client.open(scene.options().tags(List.of(scene.nonce)));
    client.open(scene.options());
    int byTag = client.closeAllByTag(scene.nonce);
    int byLabel = client.closeAllByLabel(scene.nonce);
    if (scene.isMock()) return;
    assertEquals(List.of(1, 1), List.of(byTag, byLabel));
    assertFalse(client.list().stream().anyMatch(each -> scene.nonce.equals(each.label())));
  }

  private static void account(Scene scene) {
    AccountInfo account = scene.client().account();
    assertTrue(account.period().matches("\\d{4}-\\d{2}"));
    if (!scene.isMock()) assertEquals("self-hosted", account.plan());
  }

  private static void sessionMethods(Scene scene) {
    scene.client().open(scene.options());
    Session session = find(scene);
    assertEquals(session.id(), session.info().id());
    session.close();
    assertEquals("requested", session.awaitClosed());
    assertFalse(scene.isListed(session.address()));
  }

  private static Session find(Scene scene) {
    return scene.client().list().stream()
        .filter(session -> scene.nonce.equals(session.label()))
        .findAny()
        .orElseThrow();
  }
}
