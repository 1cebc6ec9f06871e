package io.github.remotebrowser.scenarios;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import io.github.remotebrowser.ConnectionError;
import io.github.remotebrowser.RemoteBrowser;
import io.github.remotebrowser.playwright.PlaywrightBrowsers;
import java.util.Map;

/** Scenarios about the package: driving a browser, and the README. */
final class PackageScenarios {
  static final Map<String, Registry.Play> PLAYS =
      Map.of("drive", PackageScenarios::drive, "readme", PackageScenarios::readme);

  private PackageScenarios() {}

  private static void drive(Scene scene) {
    try (RemoteBrowser browser = scene.client().open(scene.options());
        Playwright playwright = PlaywrightBrowsers.create()) {
      try (Browser driven = PlaywrightBrowsers.connect(browser, playwright)) {
        Page page = driven.newPage();
        page.navigate("data:text/html,<title>Driven</title>");
        assertEquals("Driven", page.title());
      }
      browser.close();
      ConnectionError refusal =
          assertThrows(
              ConnectionError.class, () -> PlaywrightBrowsers.connect(browser, playwright));
      Printed.hides(scene, browser, refusal);
    }
  }

  private static void readme(Scene scene) throws Exception {
    try (CleanProject project = new CleanProject()) {
      assertEquals("It works\n", project.runReadme(scene.server.url(), scene.server.token()));
    }
  }
}
