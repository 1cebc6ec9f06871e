import type { Size } from "../../../domain/browser/screen.ts";
import type { BrowserSpec } from "../../../ports/browser-host.ts";
import { FULL_WINDOWS } from "../../../ports/display.ts";
import { toLocale } from "./locale.ts";
import { nameOf } from "./switch-of.ts";
import { PROFILE_FOLDER, toDimensions } from "./window.ts";

/** Features that use the network without being asked, or disturb programs that drive the browser. */
const DISABLED_FEATURES = [
  // The bar that offers to translate covers pages.
  "Translate",
  // Looks for casting devices on the network.
  "MediaRouter",
  "DialMediaRouteProvider",
  // Fetches hints about pages from Google.
  "OptimizationHints",
  // Sends form data to Google to recognize fields.
  "AutofillServerCommunication",
  // Fetches lists from Google in the background.
  "CertificateTransparencyComponentUpdater",
  // Asks Google for the time, and tells it the operating system.
  "NetworkTimeServiceQuerying",
  // Tries https before http, and waits for that.
  "HttpsUpgrades",
  // Renders the pop-up of the address bar in extra processes, unless both of these are disabled.
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
];

/** A mouse, as numbers of Blink's `HoverType` and `PointerType`. Without this, pages on a server don't see one. */
const MOUSE = "primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4";

type Spec = Pick<BrowserSpec, "kind" | "isHeadless" | "isStealthy" | "switches" | "hasWebGl">;

/**
 * Switches that a client may replace or leave out. They make browsers more useful; no protection depends on them.
 * @param screen Size of the display in device pixels.
 * @param userAgent For stealthy headless shells: only this kind names itself headless in its own user agent.
 */
export function removableSwitches(spec: Spec, screen: Size, userAgent: string | undefined): string[] {
  const isShell = spec.kind === "chrome-headless-shell";
  const { language, acceptLanguage: asked } = toLocale(spec);
  return [
    // Show no welcome page, no question about the default browser, no bubble about a crash or search engines.
    "--no-first-run",
    "--no-default-browser-check",
    "--hide-crash-restore-bubble",
    "--disable-search-engine-choice-screen",
    // Turn off Chromium's own network requests: no updates, sync, metrics or lists of bad pages.
    "--disable-background-networking",
    "--disable-component-update",
    // Some components are fetched in spite of that, such as the list of language models.
    "--component-updater=url-source=http://127.0.0.1:1/",
    "--disable-sync",
    "--disable-default-apps",
    "--metrics-recording-only",
    "--no-pings",
    // Don't ask Google which accounts are signed in: nothing answers here. --allow-browser-signin=false doesn't stop
    // it.
    "--gaia-url=http://127.0.0.1:1",
    // Run background pages as fast as the one in front.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    // Show no dialog about a slow page: the client decides what to do.
    "--disable-hang-monitor",
    "--disable-prompt-on-repost",
    // Stay open without pages: clients may open another one. The shell does so by itself.
    ...(isShell ? [] : ["--keep-alive-for-test"]),
    // Headless browsers can't show the preview of a page that prints itself, and the page would wait for it.
    ...(spec.isHeadless && !isShell ? ["--disable-print-preview"] : []),
    // Open pop-ups like other pages.
    "--disable-popup-blocking",
    // Store passwords in the profile, rather than ask a desktop's key ring.
    "--password-store=basic",
    `--lang=${language}`,
    `--accept-lang=${asked}`,
    ...windowSwitches(spec, screen),
    // Offer WebGL on machines without a graphics card, drawn by the processor.
    ...(spec.hasWebGl === false ? [] : ["--enable-unsafe-swiftshader"]),
    // Menus that open under the pointer need this.
    `--blink-settings=${MOUSE}`,
    // Mute audio, because browsers have no audio device.
    ...(spec.isHeadless ? ["--mute-audio"] : []),
    // Take screenshots without scroll bars. Stealthy browsers keep them: only headless ones have a mouse and no scroll
    // bars.
    ...(spec.isHeadless && !spec.isStealthy ? ["--hide-scrollbars"] : []),
    // Show that the browser is automated: navigator.webdriver is true, and a bar says so to viewers.
    ...(spec.isStealthy ? [] : ["--enable-automation"]),
    // Only the shell reports automation without being asked. In a window, this switch would add a warning bar.
    ...(spec.isStealthy && isShell ? ["--disable-blink-features=AutomationControlled"] : []),
    ...(userAgent !== undefined && spec.isStealthy && isShell ? [`--user-agent=${userAgent}`] : []),
    // Saves a process, and a tenth of a start. On Linux, that process has no sandbox to lose; but when network code
    // crashes, the whole browser crashes.
    "--enable-features=NetworkServiceInProcess2",
    `--disable-features=${DISABLED_FEATURES.join(",")}`,
  ];
}

/** The window's size and position. Graphical browsers read them from their preferences, unless the client sets them. */
function windowSwitches(spec: Spec, screen: Size): string[] {
  if (isFull(spec)) return [];
  const { window } = toDimensions(spec, screen);
  return [`--window-size=${window.width},${window.height}`, "--window-position=0,0"];
}

/** Whether main windows fill a screen. */
function isFull({ isHeadless, switches }: Pick<Spec, "isHeadless" | "switches">): boolean {
  return !isHeadless && !switches.some((each) => ["--window-size", "--window-position"].includes(nameOf(each)));
}

/** Switches that keep a browser in its sandbox. Clients can't replace them. */
export function fixedSwitches(
  spec: Spec,
  paths: { readonly devtoolsPort: number; readonly home: string; readonly proxyUrl: string; readonly screen: Size },
): string[] {
  return [
    ...(spec.isHeadless ? headlessSwitches(spec, paths.screen) : []),
    ...(isFull(spec) ? [`--class=${FULL_WINDOWS}`] : []),
    `--remote-debugging-port=${paths.devtoolsPort}`,
    `--user-data-dir=${paths.home}/${PROFILE_FOLDER}`,
    // Send everything through the egress proxy, even requests to local addresses.
    `--proxy-server=${paths.proxyUrl}`,
    "--proxy-bypass-list=<-loopback>",
    // Block what can't go through a proxy.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    // Without WebGL, Chromium can give its GPU process a filter for system calls.
    ...(spec.hasWebGl === false ? ["--use-gl=disabled"] : []),
    // Crash reports would go to Google, and fill the disk until then.
    "--disable-breakpad",
    "--disable-crash-reporter",
    // Without reports, the two processes that would write them are of no use.
    "--disable-crashpad-for-testing",
  ];
}

/** Starts a browser without a display, with a screen size to report. */
function headlessSwitches(spec: Spec, screen: Size): string[] {
  const { width, height } = toDimensions(spec, screen).screen;
  const info = `--screen-info={${width}x${height}}`;
  if (spec.kind === "chrome-headless-shell") return ["--headless", info];
  // The ordinary browser, which draws into memory and doesn't call itself headless anywhere. With --headless and a user
  // agent on the command line, navigator.userAgentData would be half empty.
  if (spec.isStealthy) return ["--ozone-platform=headless", `--ozone-override-screen-size=${width},${height}`];
  return ["--headless=new", info];
}
