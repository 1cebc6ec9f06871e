package io.github.remotebrowser.scenarios;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.remotebrowser.RemoteBrowser;
import io.github.remotebrowser.RemoteBrowserClient;
import io.github.remotebrowser.contract.BadRequestError;
import io.github.remotebrowser.contract.BadRequestProblem;
import io.github.remotebrowser.contract.BrowserLimitError;
import io.github.remotebrowser.contract.BrowserNotFoundError;
import io.github.remotebrowser.contract.OpenOptions;
import io.github.remotebrowser.contract.Screen;
import io.github.remotebrowser.contract.Screenshot;
import io.github.remotebrowser.contract.Session;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Scenarios about screens, screenshots and the wait for a place. */
final class ScreenScenarios {
  static final Map<String, Registry.Play> PLAYS =
      Map.of(
          "screen", ScreenScenarios::screen,
          "wait-for-place", ScreenScenarios::waitForPlace,
          "screenshot", ScreenScenarios::screenshot);

  private ScreenScenarios() {}

  private static void screen(Scene scene) {
    Supplier<OpenOptions> valid =
        () ->
            scene
                .options()
                .waitForPlace(5)
                .screen(new Screen().width(800).height(600).scale(1.5))
                .language("de-DE")
                .timeZone("Europe/Berlin");
    scene.client().open(valid.get()).close();
    Screen narrow = new Screen().width(199).height(600);
    Screen large = new Screen().width(800).height(600).scale(4);
    Map<String, OpenOptions> refused =
        Map.of(
            "/WaitForPlace", valid.get().waitForPlace(46),
            "/Screen/Width", valid.get().screen(narrow),
            "/Screen/Scale", valid.get().screen(large),
            "/Language", valid.get().language(""),
            "/TimeZone", valid.get().timeZone(""));
    refused.forEach(
        (path, options) -> {
          BadRequestError error =
              assertThrows(BadRequestError.class, () -> scene.client().open(options));
          if (scene.isMock()) return;
          assertEquals(
              List.of(path), error.errors().stream().map(BadRequestProblem::path).toList());
        });
  }

  private static void waitForPlace(Scene scene) {
    String token = scene.server.tokens().get("limited");
    RemoteBrowserClient client = scene.builder().token(token).retries(0).build();
    RemoteBrowser first = client.open(scene.options().keepOpen(2));
    assertThrows(
        BrowserLimitError.class, () -> client.open(scene.options().waitForPlace(0.1)));
    try (RemoteBrowser second = client.open(scene.options().waitForPlace(30))) {
      assertNotEquals(first.address(), second.address());
      assertEquals(
          List.of(second.address()), client.list().stream().map(Session::address).toList());
    }
  }

  private static void screenshot(Scene scene) {
    for (boolean headless : new boolean[] {true, false}) {
      RemoteBrowser browser = scene.client().open(scene.options().headless(headless));
      assertPicture(browser.screenshot());
      byte[] image = browser.screenshotImage();
      assertPicture(new Screenshot(image[1] == 'P' ? "image/png" : "image/jpeg", image));
      if (!scene.isMock()) assertPicture(BrowserScenarios.find(scene, browser.address()).screenshot());
      browser.close();
      if (!scene.isMock()) assertThrows(BrowserNotFoundError.class, browser::screenshot);
    }
  }

  private static void assertPicture(Screenshot shot) {
    Map<String, byte[]> signatures =
        Map.of(
            "image/png", new byte[] {(byte) 0x89, 'P', 'N', 'G'},
            "image/jpeg", new byte[] {(byte) 0xff, (byte) 0xd8, (byte) 0xff});
    byte[] signature = signatures.get(shot.type());
    assertNotNull(signature, shot.type());
    assertArrayEquals(signature, Arrays.copyOf(shot.image(), signature.length));
  }
}
