import { toLiteral, type Tool } from "./tool.ts";

export const java: Tool = {
  id: "java",
  name: "Java client",
  needs: "Requires JDK 17 or later and Maven. The example controls the browser with Playwright.",
  toBlocks: (url) => [
    { id: "install", title: "Install", text: "mvn --file CLONE/clients/java/pom.xml install -DskipTests\n" },
    { id: "project", title: "pom.xml", text: PROJECT },
    { id: "program", title: "QuickStart.java", text: toProgram(url) },
    { id: "run", title: "Run", text: RUN },
  ],
};

const PROJECT = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>example</groupId>
  <artifactId>quick-start</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>io.github.remote-browser</groupId>
      <artifactId>remote-browser</artifactId>
      <version>0.1.0</version>
    </dependency>
    <dependency>
      <groupId>com.microsoft.playwright</groupId>
      <artifactId>playwright</artifactId>
      <version>1.62.0</version>
    </dependency>
  </dependencies>
</project>
`;

const RUN = `mvn --quiet dependency:build-classpath -Dmdep.outputFile=class-path
java -cp "$(cat class-path)" QuickStart.java
`;

function toProgram(url: string): string {
  return `import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import io.github.remotebrowser.RemoteBrowser;
import io.github.remotebrowser.RemoteBrowserClient;
import io.github.remotebrowser.contract.OpenOptions;
import io.github.remotebrowser.playwright.PlaywrightBrowsers;

public class QuickStart {
  public static void main(String[] args) {
    RemoteBrowserClient client = RemoteBrowserClient.builder().url(${toLiteral(url)}).build();
    try (RemoteBrowser browser = client.open(new OpenOptions().label("quick start"));
        Playwright playwright = PlaywrightBrowsers.create();
        Browser driven = PlaywrightBrowsers.connect(browser, playwright)) {
      Page page = driven.contexts().get(0).pages().get(0);
      page.navigate("https://example.com");
      System.out.println(page.title());
    }
  }
}
`;
}
