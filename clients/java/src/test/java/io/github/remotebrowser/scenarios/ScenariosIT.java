package io.github.remotebrowser.scenarios;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** Runs every scenario on each of its stages. */
@EnabledIfEnvironmentVariable(
    named = "RBS_STAGE",
    matches = ".+",
    disabledReason = "npm run clients runs these")
class ScenariosIT {
  @TestFactory
  Stream<DynamicTest> scenarios() throws Exception {
    Stage stage = Stage.read(Path.of(System.getenv("RBS_STAGE")));
    // The last ones take longest, so start them first.
    List<Stage.Scenario> scenarios = new ArrayList<>(stage.scenarios());
    Collections.reverse(scenarios);
    return scenarios.stream()
        .flatMap(
            scenario ->
                stage.stages().stream()
                    .filter(server -> scenario.on().contains(server.name()))
                    .map(server -> toTest(stage, scenario, server)));
  }

  private static DynamicTest toTest(Stage stage, Stage.Scenario scenario, Stage.Server server) {
    return DynamicTest.dynamicTest(
        scenario.id() + " on " + server.name() + ": " + scenario.title(),
        () -> {
          boolean hasPassed = false;
          try {
            Registry.Play play = Registry.find(scenario);
            assertNotNull(play, "This client has no scenario " + scenario.id() + ".");
            play.act(new Scene(server));
            hasPassed = true;
          } finally {
            stage.tell(scenario.id(), server, hasPassed);
          }
        });
  }
}
