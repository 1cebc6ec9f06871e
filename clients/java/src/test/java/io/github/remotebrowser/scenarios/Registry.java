package io.github.remotebrowser.scenarios;

import java.util.HashMap;
import java.util.Map;

/** The implementations of the scenarios, by id. */
final class Registry {
  interface Play {
    void act(Scene scene) throws Exception;
  }

  private static final Map<String, Play> PLAYS = new HashMap<>();

  static {
    PLAYS.putAll(BrowserScenarios.PLAYS);
    PLAYS.putAll(ScreenScenarios.PLAYS);
    PLAYS.putAll(RecordScenarios.PLAYS);
    PLAYS.putAll(QueryScenarios.PLAYS);
    PLAYS.putAll(RetryScenarios.PLAYS);
    PLAYS.putAll(FailureScenarios.PLAYS);
    PLAYS.putAll(PackageScenarios.PLAYS);
  }

  private Registry() {}

  /** Null when this client doesn't implement the scenario. */
  static Play find(Stage.Scenario scenario) {
    return scenario.error() == null
        ? PLAYS.get(scenario.id())
        : scene -> ErrorScenario.act(scene, scenario.error());
  }
}
