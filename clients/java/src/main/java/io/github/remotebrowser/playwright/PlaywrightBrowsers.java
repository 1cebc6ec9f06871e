package io.github.remotebrowser.playwright;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.PlaywrightException;
import io.github.remotebrowser.ConnectionError;
import io.github.remotebrowser.RemoteBrowser;
import java.util.Map;

/**
 * Drives remote browsers with Playwright; its artefact {@code com.microsoft.playwright:playwright}
 * must be there.
 */
public final class PlaywrightBrowsers {
  private PlaywrightBrowsers() {}

  /** Playwright without browsers on this machine: it downloads none, since they run elsewhere. */
  public static Playwright create() {
    return Playwright.create(
        new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
  }

  /**
   * Connects to a browser. Closing what this returns only disconnects: the browser itself ends with
   * {@link RemoteBrowser#close()}, or when nobody was connected for as long as it stays open.
   *
   * @throws ConnectionError when the browser can't be reached, or has ended
   */
  public static Browser connect(RemoteBrowser browser, Playwright playwright) {
    try {
      return playwright.chromium().connectOverCDP(browser.address());
    } catch (PlaywrightException failure) {
      throw ConnectionError.toBrowser(browser, failure);
    }
  }
}
