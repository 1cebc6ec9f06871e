package io.github.remotebrowser.scenarios;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A user's project outside of the workspace, which depends on the packaged client from a
 * repository, as in the README.
 */
final class CleanProject implements AutoCloseable {
  private static final String DEPLOY =
      "org.apache.maven.plugins:maven-deploy-plugin:3.1.4:deploy-file";
  private static final String REPOSITORIES =
      "<repositories>%s</repositories><pluginRepositories>%s</pluginRepositories></project>";
  private static final String REPOSITORY = "<repository><id>%s</id><url>%s</url></repository>";

  private final Path folder = Files.createTempDirectory("clean-project-");

  CleanProject() throws IOException {}

  /**
   * Runs the README's first Java snippet with its project and its command, unchanged except for the
   * repositories. @return its output
   */
  String runReadme(String url, String token) throws Exception {
    String readme = Files.readString(Path.of("README.md"));
    Path built = folder.resolve("built");
    // Use the machine's local repository as a remote one, so that nothing is downloaded again.
    String downloaded =
        REPOSITORY.formatted("downloaded", Path.of(System.getProperty("maven.local")).toUri());
    String own = REPOSITORY.formatted("built", built.toUri());
    String repositories =
        REPOSITORIES.formatted(
            own + downloaded, downloaded.replace("repository>", "pluginRepository>"));
    Files.writeString(
        folder.resolve("pom.xml"), blockOf(readme, "xml").replace("</project>", repositories));
    run(
        Map.of(),
        "mvn",
        "--batch-mode",
        "--quiet",
        DEPLOY,
        "-Dfile=" + jar().toAbsolutePath(),
        "-DpomFile=" + Path.of("pom.xml").toAbsolutePath(),
        "-DrepositoryId=built",
        "-Durl=" + built.toUri());
    String snippet = blockOf(readme, "java");
    Matcher name = Pattern.compile("public class (\\w+)").matcher(snippet);
    if (!name.find()) throw new AssertionError("The README's snippet has no public class.");
    Path sources = Files.createDirectories(folder.resolve("src/main/java"));
    Files.writeString(sources.resolve(name.group(1) + ".java"), snippet);
    String output =
        run(
            Map.of("RBS_URL", url, "RBS_TOKEN", token),
            "mvn",
            "--batch-mode",
            "--quiet",
            "compile",
            "exec:java",
            "-Dmaven.repo.local=" + folder.resolve("installed"));
    // Maven resets the terminal's colors, even without a terminal.
    return output.replace("\u001B[0m", "");
  }

  private static Path jar() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("target"))) {
      return files
          .filter(file -> file.toString().matches(".*-[0-9.]+\\.jar"))
          .findAny()
          .orElseThrow();
    }
  }

  /** The first block of code in a language. */
  private static String blockOf(String markdown, String language) {
    Matcher block =
        Pattern.compile("^```" + language + "\n(.*?)^```", Pattern.MULTILINE | Pattern.DOTALL)
            .matcher(markdown);
    if (!block.find()) throw new AssertionError("The README has no code in " + language + ".");
    return block.group(1);
  }

  private String run(Map<String, String> variables, String... command) throws Exception {
    File errors = folder.resolve("errors").toFile();
    ProcessBuilder builder =
        new ProcessBuilder(List.of(command)).directory(folder.toFile()).redirectError(errors);
    builder.environment().keySet().removeIf(variable -> variable.startsWith("RBS_"));
    builder.environment().putAll(variables);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new AssertionError(
          command[0] + " failed:\n" + output + Files.readString(errors.toPath()));
    }
    return output;
  }

  @Override
  public void close() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(file);
    }
  }
}
