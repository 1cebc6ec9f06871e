package io.github.remotebrowser.scenarios;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;

/** The content of the file that {@code RBS_STAGE} names: the stages and scenarios. */
@JsonIgnoreProperties(ignoreUnknown = true)
record Stage(List<Server> stages, Path report, List<Scenario> scenarios) {

  @JsonIgnoreProperties(ignoreUnknown = true)
  record Server(String name, String url, String token, Map<String, String> tokens) {}

  @JsonIgnoreProperties(ignoreUnknown = true)
  record Scenario(String id, String title, List<String> on, WantedError error) {}

  /**
   * @param type the class's name
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  record WantedError(
      String name,
      int status,
      @com.fasterxml.jackson.annotation.JsonProperty("class") String type,
      Map<String, String> provoke,
      String operation) {}

  static Stage read(Path file) throws IOException {
    return new ObjectMapper().readValue(Files.readString(file), Stage.class);
  }

  synchronized void tell(String id, Server server, boolean hasPassed) throws IOException {
    Map<String, String> line =
        Map.of(
            "language",
            "java",
            "stage",
            server.name(),
            "id",
            id,
            "outcome",
            hasPassed ? "passed" : "failed");
    Files.writeString(
        report, new ObjectMapper().writeValueAsString(line) + "\n", StandardOpenOption.APPEND);
  }
}
