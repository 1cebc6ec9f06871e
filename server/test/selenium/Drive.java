import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.openqa.selenium.By;
import org.openqa.selenium.Cookie;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebDriver;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.json.Json;
import org.openqa.selenium.support.ui.ExpectedConditions;
import org.openqa.selenium.support.ui.WebDriverWait;

/**
 * Uses the common features of Selenium on a page, and prints the results as JSON.
 *
 * <p>usage: Drive HOST:PORT PAGE-URL
 */
public class Drive {
  public static void main(String[] args) {
    System.setProperty(ChromeDriverService.CHROME_DRIVER_EXE_PROPERTY, "/usr/bin/chromedriver");
    ChromeOptions options = new ChromeOptions();
    options.setExperimentalOption("debuggerAddress", args[0]);
    ChromeDriver driver = new ChromeDriver(options);
    WebDriverWait wait = new WebDriverWait(driver, Duration.ofSeconds(10));
    Map<String, Object> results = new TreeMap<>();

    driver.get(args[1]);
    results.put("title", driver.getTitle());
    driver.findElement(By.id("name")).sendKeys("größer");
    driver.findElement(By.cssSelector("button")).click();
    results.put("greeting", wait.until(ExpectedConditions.visibilityOfElementLocated(By.id("greeting"))).getText());

    driver.findElement(By.id("ask")).click();
    var alert = wait.until(ExpectedConditions.alertIsPresent());
    results.put("alert", alert.getText());
    alert.accept();
    results.put("answer", driver.findElement(By.id("answer")).getText());

    results.put("script", driver.executeScript("return [arguments[0] + 1, document.title]", 41));
    results.put("async", driver.executeAsyncScript("setTimeout(arguments[0], 10, 'later')"));

    String first = driver.getWindowHandle();
    driver.findElement(By.id("other")).click();
    wait.until(ExpectedConditions.numberOfWindowsToBe(2));
    String second = driver.getWindowHandles().stream().filter(handle -> !handle.equals(first)).findFirst().orElseThrow();
    driver.switchTo().window(second);
    results.put("other", driver.getCurrentUrl());
    driver.close();
    driver.switchTo().window(first);
    driver.switchTo().newWindow(WindowType.TAB);
    driver.close();
    driver.switchTo().window(first);
    results.put("windows", driver.getWindowHandles().size());

    WebDriver frame = driver.switchTo().frame("inner");
    results.put("frame", frame.findElement(By.tagName("p")).getText());
    driver.switchTo().defaultContent();

    driver.manage().addCookie(new Cookie("cat", "Mog"));
    results.put("cookie", driver.manage().getCookieNamed("cat").getValue());
    driver.manage().window().setSize(new Dimension(700, 500));
    results.put("small", sizeOf(driver));
    driver.manage().window().maximize();
    results.put("large", sizeOf(driver));
    results.put("picture", new String(driver.getScreenshotAs(OutputType.BYTES), 1, 3));
    results.put("version", driver.executeCdpCommand("Browser.getVersion", Map.of()).get("protocolVersion"));
    driver.quit();
    System.out.println(new Json().toJson(results));
  }

  private static Map<String, Integer> sizeOf(WebDriver driver) {
    Dimension size = driver.manage().window().getSize();
    return Map.of("width", size.getWidth(), "height", size.getHeight());
  }
}
