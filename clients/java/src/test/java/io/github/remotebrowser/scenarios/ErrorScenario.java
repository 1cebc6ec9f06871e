package io.github.remotebrowser.scenarios;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.remotebrowser.ApiError;
import io.github.remotebrowser.ClientBuilder;
import io.github.remotebrowser.RemoteBrowser;
import io.github.remotebrowser.RemoteBrowserClient;
import io.github.remotebrowser.contract.BadRequestError;
import io.github.remotebrowser.contract.SupportedBrowser;
import java.util.List;

/** Provokes one error of the contract. */
final class ErrorScenario {
  private static final String UNKNOWN_ADDRESS = "/devtools/browser/" + "A".repeat(32);
  private static final int MORE_THAN_A_HURRIED_ACCOUNT_MAY = 10;

  private ErrorScenario() {}

  static void act(Scene scene, Stage.WantedError wanted) {
    ApiError error = assertThrows(ApiError.class, () -> provoke(scene, wanted));
    assertEquals(wanted.type(), error.getClass().getSimpleName());
    assertEquals(wanted.status(), error.status());
    assertEquals(wanted.name(), error.name());
    assertFalse(error.requestId().orElseThrow().isEmpty());
    assertTrue(
        error.getMessage().startsWith(wanted.name() + " (" + wanted.status() + "): "),
        error.getMessage());
    if (error instanceof BadRequestError bad) {
      assertFalse(bad.errors().isEmpty());
      bad.errors()
          .forEach(problem -> assertTrue(problem.path().startsWith("/"), problem.toString()));
    }
  }

  private static void provoke(Scene scene, Stage.WantedError wanted) {
    String how = wanted.provoke().get(scene.server.name());
    String word = how.replaceFirst(".*:", "");
    switch (how.replaceFirst(":.*", "")) {
      case "token" -> withToken(scene, word).build().open(scene.options());
      case "prompt" ->
          scene.builder().retries(0).build().query("<p>x</p>", word, QueryScenarios.Product.class);
      case "answer" ->
          ask(scene.with("answer-" + wanted.name()).retries(0).build(), scene, wanted.operation());
      case "wrong-token" -> scene.builder().token("rbs_wrong").build().list();
      case "arguments" ->
          scene.client().open(scene.options().args(List.of("--remote-debugging-port=1")));
      case "unknown-address" ->
          scene.client().browser(toWs(scene) + UNKNOWN_ADDRESS).startDesktop();
      case "headless-desktop" -> startHeadlessDesktop(scene);
      case "large-label" -> scene.client().open(scene.options().label("x".repeat(70_000)));
      case "limit" -> openTwo(scene);
      case "wrong-path" -> scene.builder().url(scene.server.url() + "/nowhere").build().list();
      case "missing-kind" -> openMissingKind(scene.builder().retries(0), scene);
      case "hurried" ->
          hurry(withToken(scene, "hurried").retries(0).build());
      default -> throw new AssertionError("Unknown method of provoking an error: " + how + ".");
    }
  }

  private static ClientBuilder withToken(Scene scene, String whose) {
    return scene.builder().token(scene.server.tokens().get(whose));
  }

  private static void ask(RemoteBrowserClient client, Scene scene, String operation) {
    switch (operation == null ? "open" : operation) {
      case "open" -> client.open(scene.options());
      case "query" -> client.query("<p>Kettle</p>", "What is it?");
      case "startDesktop" -> client.browser(toWs(scene) + UNKNOWN_ADDRESS).startDesktop();
      case "list" -> client.list();
      default -> throw new AssertionError("Unknown operation: " + operation + ".");
    }
  }

  private static void startHeadlessDesktop(Scene scene) {
    try (RemoteBrowser browser = scene.client().open(scene.options())) {
      browser.startDesktop();
    }
  }

  private static void openTwo(Scene scene) {
    RemoteBrowserClient client = withToken(scene, "limited").retries(0).build();
    try (RemoteBrowser first = client.open(scene.options())) {
      client.open(scene.options()).close();
      throw new AssertionError("Both browsers were opened in addition to " + first + ".");
    }
  }

  /** A kind of browser that isn't installed on any stage. */
  static void openMissingKind(ClientBuilder builder, Scene scene) {
    builder.build().open(scene.options().browser(SupportedBrowser.Chrome));
  }

  private static void hurry(RemoteBrowserClient client) {
    for (int calls = 0; calls < MORE_THAN_A_HURRIED_ACCOUNT_MAY; calls++) client.list();
  }

  private static String toWs(Scene scene) {
    return scene.server.url().replaceFirst("^http", "ws");
  }
}
