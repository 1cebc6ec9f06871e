package io.github.remotebrowser.scenarios;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.remotebrowser.RemoteBrowser;
import io.github.remotebrowser.RemoteBrowserClient;
import io.github.remotebrowser.contract.Desktop;
import io.github.remotebrowser.contract.OpenOptions;
import io.github.remotebrowser.contract.Session;
import io.github.remotebrowser.contract.SupportedBrowser;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Scenarios about browsers and their desktops. */
final class BrowserScenarios {
  private static final Duration UNLISTED_WITHIN = Duration.ofSeconds(15);

  static final Map<String, Registry.Play> PLAYS =
      Map.of(
          "lifecycle", BrowserScenarios::lifecycle,
          "close-ended", BrowserScenarios::closeEnded,
          "closes-itself", BrowserScenarios::closesItself,
          "options", BrowserScenarios::options,
          "keep-open", BrowserScenarios::keepOpen,
          "attach", BrowserScenarios::attach,
          "desktop", BrowserScenarios::desktop);

  private BrowserScenarios() {}

  private static void lifecycle(Scene scene) {
    RemoteBrowser browser = scene.client().open(scene.options());
    assertTrue(browser.address().startsWith("ws"));
    assertTrue(scene.isListed(browser.address()));
    browser.close();
    assertFalse(scene.isListed(browser.address()));
  }

  private static void closeEnded(Scene scene) {
    RemoteBrowser browser = scene.client().open(scene.options());
    browser.close();
    scene.client().browser(browser.address()).close();
    browser.close();
  }

  private static void closesItself(Scene scene) {
    String address;
    try (RemoteBrowser browser = scene.client().open(scene.options())) {
      address = browser.address();
      assertTrue(scene.isListed(address));
    }
    assertFalse(scene.isListed(address));
  }

  private static void options(Scene scene) {
    OpenOptions options =
        new OpenOptions()
            .headless(true)
            .stealth(false)
            .keepOpen(60.5)
            .label(scene.nonce)
            .args(List.of("--lang=de-DE"))
            .browser(SupportedBrowser.ChromeHeadlessShell);
    try (RemoteBrowser browser = scene.client().open(options)) {
      if (scene.isMock()) return;
      Session session = find(scene, browser.address());
      assertEquals(scene.nonce, session.label());
      assertNull(session.vncpass());
    }
  }

  private static void keepOpen(Scene scene) throws Exception {
    RemoteBrowser browser = scene.client().open(scene.options().keepOpen(1));
    long until = System.nanoTime() + UNLISTED_WITHIN.toNanos();
    while (scene.isListed(browser.address())) {
      assertTrue(System.nanoTime() < until, "The browser is still listed.");
      Thread.sleep(100);
    }
  }

  private static void attach(Scene scene) {
    RemoteBrowserClient client = scene.client();
    String address = client.open(scene.options()).address();
    client.browser(find(scene, address).address()).close();
    assertFalse(scene.isListed(address));
  }

  private static void desktop(Scene scene) {
    try (RemoteBrowser browser = scene.client().open(scene.options().headless(false))) {
      Desktop desktop = browser.startDesktop();
      assertEquals(8, desktop.password().length());
      assertEquals(8, desktop.viewPassword().length());
      assertTrue(desktop.url().startsWith("http"));
      assertTrue(desktop.rfbUrl().startsWith("ws"));
      if (!scene.isMock()) {
        assertEquals(desktop, browser.startDesktop());
        assertEquals(desktop.password(), find(scene, browser.address()).vncpass());
      }
      browser.stopDesktop();
      if (!scene.isMock()) assertNull(find(scene, browser.address()).vncpass());
    }
  }

  static Session find(Scene scene, String address) {
    return scene.client().list().stream()
        .filter(session -> session.address().equals(address))
        .findAny()
        .orElseThrow();
  }
}
