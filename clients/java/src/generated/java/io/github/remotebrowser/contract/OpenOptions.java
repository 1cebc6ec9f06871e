// Written by scripts/generate-clients.ts from the contract: change that.

package io.github.remotebrowser.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import jakarta.annotation.Nullable;
import java.util.Arrays;
import java.util.List;

/** The options of Open. Every option may be omitted or {@code null}, which means the same. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public final class OpenOptions {
  @JsonProperty("Args")
  private @Nullable List<String> args;

  @JsonProperty("IgnoredDefaultArgs")
  private @Nullable List<String> ignoredDefaultArgs;

  @JsonProperty("Headless")
  private @Nullable Boolean headless;

  @JsonProperty("Stealth")
  private @Nullable Boolean stealth;

  @JsonProperty("Browser")
  private @Nullable SupportedBrowser browser;

  @JsonProperty("KeepOpen")
  private @Nullable Double keepOpen;

  @JsonProperty("Proxy")
  private @Nullable Proxy proxy;

  @JsonProperty("Label")
  private @Nullable String label;

  @JsonProperty("Tags")
  private @Nullable List<String> tags;

  @JsonProperty("Lifetime")
  private @Nullable Double lifetime;

  @JsonProperty("WaitForPlace")
  private @Nullable Double waitForPlace;

  @JsonProperty("Screen")
  private @Nullable Screen screen;

  @JsonProperty("Language")
  private @Nullable String language;

  @JsonProperty("TimeZone")
  private @Nullable String timeZone;

  /**
   * Arguments for the browser's command line. They are added to the service's default arguments, and a switch
   * that is also a default replaces that default. By default, the browser gets only the service's own. At
   * most 100, each of 1 to 4,096 characters.
   *
   * <p>Switches are allowed by name, and each deployment has its own list. Every list contains {@code
   * --window-size}, {@code --force-device-scale-factor}, {@code --lang}, {@code --time-zone-for-testing},
   * {@code --user-agent}, {@code --hide-scrollbars}, {@code --mute-audio}, {@code --disable-gpu}, {@code
   * --disable-extensions}, {@code --disable-notifications}, {@code --disable-features}, {@code
   * --disable-blink-features} and {@code --no-first-run}. Some that many scripts contain and that would only
   * weaken the browser's protection, such as {@code --no-sandbox} and {@code --disable-dev-shm-usage}, are
   * accepted but have no effect. Switches that run programs, open files, move ports or proxies, and switches
   * that are not in the list, are a {@code BadRequest} that names them.
   */
  public OpenOptions args(@Nullable List<String> args) {
    this.args = args;
    return this;
  }

  /** Returns {@code args}, or null if it is not set. */
  public @Nullable List<String> getArgs() {
    return args;
  }

  /**
   * Default arguments that the service leaves out when it starts the browser, by the names of their switches.
   * By default, the browser gets all of them. At most 100, each of 1 to 4,096 characters. A default that
   * protects the machine or its other users cannot be removed: naming one is a {@code BadRequest}. A name
   * that is not a default has no effect.
   */
  public OpenOptions ignoredDefaultArgs(@Nullable List<String> ignoredDefaultArgs) {
    this.ignoredDefaultArgs = ignoredDefaultArgs;
    return this;
  }

  /** Returns {@code ignoredDefaultArgs}, or null if it is not set. */
  public @Nullable List<String> getIgnoredDefaultArgs() {
    return ignoredDefaultArgs;
  }

  /**
   * Whether the browser runs without a graphical interface. The default is {@code false}: the browser has a
   * screen, which a remote desktop can show. ChromeHeadlessShell is always headless.
   */
  public OpenOptions headless(@Nullable Boolean headless) {
    this.headless = headless;
    return this;
  }

  /** Returns {@code headless}, or null if it is not set. */
  public @Nullable Boolean getHeadless() {
    return headless;
  }

  /**
   * Whether the browser hides that a program controls it: no automation switch, and a user agent, language
   * and time zone that are consistent. The default is {@code true}. Some sites can still detect automation.
   */
  public OpenOptions stealth(@Nullable Boolean stealth) {
    this.stealth = stealth;
    return this;
  }

  /** Returns {@code stealth}, or null if it is not set. */
  public @Nullable Boolean getStealth() {
    return stealth;
  }

  /**
   * Which kind of browser to open. The default is Chromium (2). For a kind that this deployment does not
   * have, the response is 503 {@code BrowserUnavailable}.
   */
  public OpenOptions browser(@Nullable SupportedBrowser browser) {
    this.browser = browser;
    return this;
  }

  /** Returns {@code browser}, or null if it is not set. */
  public @Nullable SupportedBrowser getBrowser() {
    return browser;
  }

  /**
   * How many <strong>seconds</strong> the browser stays open while no client is connected. The default is 30.
   * Fractions are allowed. The period starts when the browser opens and whenever its last client or desktop
   * viewer disconnects; while one is connected, the period does not run. A negative number is a {@code
   * BadRequest}.
   *
   * <p>0, and every value above the maximum lifetime of the account's plan, mean that maximum. On a plan
   * without a maximum lifetime, 0 means that the browser stays open until it is closed.
   */
  public OpenOptions keepOpen(double keepOpen) {
    this.keepOpen = keepOpen;
    return this;
  }

  /** Returns {@code keepOpen}, or null if it is not set. */
  public @Nullable Double getKeepOpen() {
    return keepOpen;
  }

  /**
   * The proxy for the browser's traffic. By default, the service assigns one of its own when the browser
   * opens; if it has none, the browser connects directly.
   */
  public OpenOptions proxy(@Nullable Proxy proxy) {
    this.proxy = proxy;
    return this;
  }

  /** Returns {@code proxy}, or null if it is not set. */
  public @Nullable Proxy getProxy() {
    return proxy;
  }

  /**
   * A name by which you recognize the browser in the list. It does not have to be unique. It has at most 256
   * characters, counted as Unicode code points, and is listed as it was sent. By default, the browser has no
   * label, and the list shows {@code null}.
   */
  public OpenOptions label(@Nullable String label) {
    this.label = label;
    return this;
  }

  /** Returns {@code label}, or null if it is not set. */
  public @Nullable String getLabel() {
    return label;
  }

  /**
   * Words by which you find browsers, such as the name of a job: at most 20, each of 1 to 128 characters.
   * They are listed as they were sent. By default, the browser has no tags.
   */
  public OpenOptions tags(@Nullable List<String> tags) {
    this.tags = tags;
    return this;
  }

  /** Returns {@code tags}, or null if it is not set. */
  public @Nullable List<String> getTags() {
    return tags;
  }

  /**
   * How many <strong>seconds</strong> after its opening the browser is closed, even if clients are connected.
   * By default, it is the maximum lifetime of the account's plan. Fractions are allowed. 0, and every value
   * above that maximum, mean the maximum. A negative number is a {@code BadRequest}.
   */
  public OpenOptions lifetime(double lifetime) {
    this.lifetime = lifetime;
    return this;
  }

  /** Returns {@code lifetime}, or null if it is not set. */
  public @Nullable Double getLifetime() {
    return lifetime;
  }

  /**
   * How many <strong>seconds</strong> the request may take if it has to wait, because the account has reached
   * its parallel limit or the machine is full. Waiting and starting the browser count together. Fractions are
   * allowed, and the maximum is 45. By default, and with 0, the request is refused immediately.
   */
  public OpenOptions waitForPlace(double waitForPlace) {
    this.waitForPlace = waitForPlace;
    return this;
  }

  /** Returns {@code waitForPlace}, or null if it is not set. */
  public @Nullable Double getWaitForPlace() {
    return waitForPlace;
  }

  /**
   * The size of the browser's first page, in all kinds of browsers. By default, it depends on the deployment.
   * A size or scale that an argument contradicts is a {@code BadRequest}.
   */
  public OpenOptions screen(@Nullable Screen screen) {
    this.screen = screen;
    return this;
  }

  /** Returns {@code screen}, or null if it is not set. */
  public @Nullable Screen getScreen() {
    return screen;
  }

  /**
   * The language of the browser: what sites see in {@code Accept-Language}, {@code navigator.language} and
   * the formats of {@code Intl}. It is a BCP 47 language tag, such as {@code de-DE}. The default is {@code
   * en-US}. A language that an argument contradicts is a {@code BadRequest}.
   */
  public OpenOptions language(@Nullable String language) {
    this.language = language;
    return this;
  }

  /** Returns {@code language}, or null if it is not set. */
  public @Nullable String getLanguage() {
    return language;
  }

  /**
   * The time zone of the browser, by its name in the IANA time zone database, such as {@code Europe/Berlin}.
   * The default is {@code UTC}. A time zone that an argument contradicts is a {@code BadRequest}.
   */
  public OpenOptions timeZone(@Nullable String timeZone) {
    this.timeZone = timeZone;
    return this;
  }

  /** Returns {@code timeZone}, or null if it is not set. */
  public @Nullable String getTimeZone() {
    return timeZone;
  }

  /** Leaves out secrets. */
  @Override
  public String toString() {
    return "OpenOptions[args=" + args + ", ignoredDefaultArgs=" + ignoredDefaultArgs + ", headless=" + headless + ", stealth=" + stealth + ", browser=" + browser + ", keepOpen=" + keepOpen + ", proxy=" + proxy + ", label=" + label + ", tags=" + tags + ", lifetime=" + lifetime + ", waitForPlace=" + waitForPlace + ", screen=" + screen + ", language=" + language + ", timeZone=" + timeZone + "]";
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof OpenOptions same && members().equals(same.members());
  }

  @Override
  public int hashCode() {
    return members().hashCode();
  }

  private List<Object> members() {
    return Arrays.asList(args, ignoredDefaultArgs, headless, stealth, browser, keepOpen, proxy, label, tags, lifetime, waitForPlace, screen, language, timeZone);
  }
}
