package io.github.remotebrowser.scenarios;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.remotebrowser.InvalidAnswerError;
import io.github.remotebrowser.RemoteBrowserClient;
import java.util.Map;

/** Scenarios about queries. */
final class QueryScenarios {
  record Product(String product, double price) {}

  private static final String KETTLE = "<p>Kettle, 1.7 litres, <b>39.90 €</b></p>";

  static final Map<String, Registry.Play> PLAYS =
      Map.of(
          "query-text", QueryScenarios::text,
          "query-json", QueryScenarios::json,
          "query-typed", QueryScenarios::typed,
          "query-number", QueryScenarios::number,
          "query-misfit", QueryScenarios::misfit,
          "query-no-value", QueryScenarios::noValue);

  private QueryScenarios() {}

  private static void text(Scene scene) {
    String answer =
        scene
            .client()
            .query(
                "<h1>Opening hours</h1><p>Monday to Friday, 9 to 17</p>",
                "Is it open on Saturdays?");
    assertEquals("No, the shop is only open from Monday to Friday.", answer);
  }

  private static void json(Scene scene) {
    JsonNode answer =
        scene
            .client()
            .queryJson("<ul><li>Apples 2.40</li><li>Pears 3.10</li></ul>", "List the products.");
    assertEquals(2, answer.size());
    assertEquals("Apples", answer.get(0).get("product").textValue());
    assertEquals(3.1, answer.get(1).get("price").doubleValue());
  }

  private static void typed(Scene scene) {
    assertEquals(
        new Product("Kettle", 39.9),
        scene.client().query(KETTLE, "What does it cost?", Product.class));
  }

  private static void number(Scene scene) {
    assertEquals(39.9, scene.client().query(KETTLE, "What does it cost?", Double.class));
  }

  private static void misfit(Scene scene) {
    assertThrows(
        InvalidAnswerError.class,
        () -> scene.with("misfit").build().query(KETTLE, "What does it cost?", Product.class));
  }

  private static void noValue(Scene scene) {
    RemoteBrowserClient client = scene.with("no-value").build();
    assertThrows(
        InvalidAnswerError.class, () -> client.query(KETTLE, "What does it cost?", Product.class));
    assertThrows(InvalidAnswerError.class, () -> client.queryJson(KETTLE, "What does it cost?"));
  }
}
