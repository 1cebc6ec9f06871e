package io.github.remotebrowser.scenarios;

import java.util.HashMap;
import java.util.Map;

/** What is done in each scenario, by its id. */
final class Registry {
  interface Play {
    void act(Scene scene) throws Exception;
  }

  private static final Map<String, Play> PLAYS = new HashMap<>();

  static {
    PLAYS.putAll(BrowserScenarios.PLAYS);
    PLAYS.putAll(QueryScenarios.PLAYS);
    PLAYS.putAll(RetryScenarios.PLAYS);
    PLAYS.putAll(FailureScenarios.PLAYS);
    PLAYS.putAll(PackageScenarios.PLAYS);
  }

  private Registry() {}

  /** Null when there is none. */
  static Play find(Stage.Scenario scenario) {
    return scenario.error() == null
        ? PLAYS.get(scenario.id())
        : scene -> ErrorScenario.act(scene, scenario.error());
  }
}
