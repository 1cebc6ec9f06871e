package io.github.remotebrowser.scenarios;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.remotebrowser.ApiError;
import io.github.remotebrowser.ConnectionError;
import io.github.remotebrowser.RemoteBrowser;
import io.github.remotebrowser.RemoteBrowserClient;
import io.github.remotebrowser.RemoteBrowserError;
import io.github.remotebrowser.contract.Desktop;
import io.github.remotebrowser.contract.Session;
import io.github.remotebrowser.contract.UnknownError;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;

/** Printed values hide secrets. */
final class SecretsScenario {
  private SecretsScenario() {}

  static void act(Scene scene) throws Exception {
    RemoteBrowserClient client = scene.client();
    try (RemoteBrowser browser = client.open(scene.options().headless(false))) {
      for (RemoteBrowserError error : provokeErrors(scene, browser))
        Printed.hides(scene, browser, error);
      Desktop desktop = browser.startDesktop();
      Printed.hides(desktop.password(), desktop);
      Printed.hides(desktop.viewPassword(), desktop);
      List<Session> sessions = client.list();
      sessions.stream()
          .map(Session::vncpass)
          .filter(password -> password != null)
          .forEach(password -> Printed.hides(password, sessions));
      for (Object each : List.of(client, browser, desktop, sessions))
        Printed.hides(scene, browser, each);
    }
  }

  private static List<RemoteBrowserError> provokeErrors(Scene scene, RemoteBrowser browser)
      throws Exception {
    RemoteBrowserClient pages = scene.with("echo-page").retries(0).build();
    ApiError ofList = assertThrows(ApiError.class, pages::list);
    assertEquals(502, ofList.status());
    ApiError ofDesktop =
        assertThrows(ApiError.class, pages.browser(browser.address())::startDesktop);
    UnknownError repeated =
        assertThrows(
            UnknownError.class,
            scene.with("echo-error").build().browser(browser.address())::startDesktop);
    RemoteBrowserClient nowhere = scene.builder().url(freeUrl()).retries(0).build();
    ConnectionError refused =
        assertThrows(ConnectionError.class, nowhere.browser(browser.address())::startDesktop);
    return List.of(ofList, ofDesktop, repeated, refused);
  }

  /** A URL that refuses connections. */
  static String freeUrl() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return "http://127.0.0.1:" + socket.getLocalPort();
    }
  }
}
