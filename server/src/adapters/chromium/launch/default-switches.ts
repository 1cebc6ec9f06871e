import type { Size } from "../../../domain/browser/screen.ts";
import type { BrowserSpec } from "../../../ports/browser-host.ts";
import { FULL_WINDOWS } from "../../../ports/display.ts";
import { toLocale } from "./locale.ts";
import { nameOf } from "./switch-of.ts";
import { PROFILE_FOLDER, toDimensions } from "./window.ts";

/** Features that use the network unprompted, or interfere with automation. */
const DISABLED_FEATURES = [
  // The translation bar covers part of the page.
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
  // Requests the time from Google, and reveals the operating system.
  "NetworkTimeServiceQuerying",
  // Tries HTTPS first, which delays pages that only use HTTP.
  "HttpsUpgrades",
  // Unless both are disabled, extra processes render the address bar's pop-up.
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
];

/** A mouse, as Blink's `HoverType` and `PointerType` values. By default, pages on a server don't detect a mouse. */
const MOUSE = "primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4";

type Spec = Pick<BrowserSpec, "kind" | "isHeadless" | "isStealthy" | "switches" | "hasWebGl">;

/**
 * Returns switches that a client may replace or omit. They make browsers more useful, and don't affect security.
 * @param screen Size of the display in device pixels.
 * @param userAgent For stealthy headless shells. The shell's own user agent would reveal that it is headless.
 */
export function removableSwitches(spec: Spec, screen: Size, userAgent: string | undefined): string[] {
  const isShell = spec.kind === "chrome-headless-shell";
  const { language, acceptLanguage: asked } = toLocale(spec);
  return [
    // Show no welcome page, default-browser prompt, or bubble about a crash or search engines.
    "--no-first-run",
    "--no-default-browser-check",
    "--hide-crash-restore-bubble",
    "--disable-search-engine-choice-screen",
    // Turn off Chromium's own network requests: no updates, sync, metrics or lists of unsafe pages.
    "--disable-background-networking",
    "--disable-component-update",
    // Despite --disable-component-update, Chromium fetches some components, such as the list of language models.
    "--component-updater=url-source=http://127.0.0.1:1/",
    "--disable-sync",
    "--disable-default-apps",
    "--metrics-recording-only",
    "--no-pings",
    // Don't ask Google which accounts are signed in. --allow-browser-signin=false doesn't prevent that.
    "--gaia-url=http://127.0.0.1:1",
    // Run background pages as fast as the foreground page.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    // Show no dialog about a slow page: the client decides what to do.
    "--disable-hang-monitor",
    "--disable-prompt-on-repost",
    // Keep the browser open without pages, because clients may open one. The headless shell always stays open.
    ...(isShell ? [] : ["--keep-alive-for-test"]),
    // A page that prints itself would wait for a preview that headless browsers can't show.
    ...(spec.isHeadless && !isShell ? ["--disable-print-preview"] : []),
    // Let pages open pop-ups.
    "--disable-popup-blocking",
    // Store passwords in the profile, not in a desktop's key ring.
    "--password-store=basic",
    `--lang=${language}`,
    `--accept-lang=${asked}`,
    ...windowSwitches(spec, screen),
    // Offer WebGL on machines without a graphics card, rendered by the CPU.
    ...(spec.hasWebGl === false ? [] : ["--enable-unsafe-swiftshader"]),
    // Required by menus that open on hover.
    `--blink-settings=${MOUSE}`,
    // Mute audio, because browsers have no audio device.
    ...(spec.isHeadless ? ["--mute-audio"] : []),
    // Hide scroll bars in screenshots. Stealthy browsers keep them: a mouse without scroll bars reveals headless mode.
    ...(spec.isHeadless && !spec.isStealthy ? ["--hide-scrollbars"] : []),
    // Show that the browser is automated: navigator.webdriver is true, and a bar informs viewers.
    ...(spec.isStealthy ? [] : ["--enable-automation"]),
    // Only the shell reports automation by default. In other browsers, this switch would show a warning bar.
    ...(spec.isStealthy && isShell ? ["--disable-blink-features=AutomationControlled"] : []),
    ...(userAgent !== undefined && spec.isStealthy && isShell ? [`--user-agent=${userAgent}`] : []),
    // Saves a process, which isn't sandboxed on Linux anyway, and a tenth of the start time, but a crash in network
    // code now crashes the whole browser.
    "--enable-features=NetworkServiceInProcess2",
    `--disable-features=${DISABLED_FEATURES.join(",")}`,
  ];
}

/** The window's size and position. Graphical browsers read them from preferences unless the client sets them. */
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
    // Block traffic that can't use a proxy.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    // Without WebGL, Chromium can apply a system call filter to its GPU process.
    ...(spec.hasWebGl === false ? ["--use-gl=disabled"] : []),
    // Crash reports would fill the disk and be sent to Google.
    "--disable-breakpad",
    "--disable-crash-reporter",
    // Don't start the two processes that write crash reports.
    "--disable-crashpad-for-testing",
  ];
}

/** Returns switches for a browser without a display that reports a screen size. */
function headlessSwitches(spec: Spec, screen: Size): string[] {
  const { width, height } = toDimensions(spec, screen).screen;
  const info = `--screen-info={${width}x${height}}`;
  if (spec.kind === "chrome-headless-shell") return ["--headless", info];
  // A normal browser that renders to memory and doesn't identify as headless. With --headless and --user-agent,
  // navigator.userAgentData would be incomplete.
  if (spec.isStealthy) return ["--ozone-platform=headless", `--ozone-override-screen-size=${width},${height}`];
  return ["--headless=new", info];
}
