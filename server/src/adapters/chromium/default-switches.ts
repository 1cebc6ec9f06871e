import type { BrowserSpec } from "../../ports/browser-host.ts";
import { toLocale } from "./locale.ts";
import { PROFILE_FOLDER } from "./preferences.ts";
import { type Size, toDimensions } from "./screen.ts";
import { nameOf } from "./switch-of.ts";

/** Features that reach out to the network by themselves, or get into the way of a program that drives the browser. */
const DISABLED_FEATURES = [
  // The bar that offers to translate covers pages.
  "Translate",
  // Looks for casting devices on the network.
  "MediaRouter",
  "DialMediaRouteProvider",
  // Fetches hints about pages from its maker.
  "OptimizationHints",
  // Sends form data to its maker to recognise fields.
  "AutofillServerCommunication",
  // Fetches lists of its maker in the background.
  "CertificateTransparencyComponentUpdater",
  // Shows http pages as https first, and waits for them.
  "HttpsUpgrades",
  // Renders pages of its own behind the address bar, in processes of their own; only both switch it off.
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
];

/** A mouse, in the numbers of Blink's `HoverType` and `PointerType`: pages find none on a server by themselves. */
const MOUSE = "primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4";

type Spec = Pick<BrowserSpec, "kind" | "isHeadless" | "isStealthy" | "switches">;

/**
 * Switches that a client may replace or leave out; each stands for a comfort, none for a protection.
 * @param screen The size of the one that windows are on.
 * @param userAgent What a stealthy headless shell is to say: it is the one kind that can't help naming itself headless.
 */
export function removableSwitches(spec: Spec, screen: Size, userAgent: string | undefined): string[] {
  const isShell = spec.kind === "chrome-headless-shell";
  const { language, asked } = toLocale(spec);
  return [
    // No welcome page, no question about the default browser, no bubble about a crash or search engines.
    "--no-first-run",
    "--no-default-browser-check",
    "--hide-crash-restore-bubble",
    "--disable-search-engine-choice-screen",
    // Nothing of its own over the network: updates, sync, metrics, lists of bad pages.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-default-apps",
    "--metrics-recording-only",
    "--no-pings",
    // Pages in the background run as fast as the one in front.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    // A slow page is the client's business, not a question to somebody at the screen.
    "--disable-hang-monitor",
    "--disable-prompt-on-repost",
    // Pop-ups are pages like others.
    "--disable-popup-blocking",
    // Passwords are kept in the profile, without asking a desktop's key ring.
    "--password-store=basic",
    `--lang=${language}`,
    `--accept-lang=${asked}`,
    ...windowSwitches(spec, screen),
    // Machines without a graphics card have WebGL all the same, drawn by the processor.
    "--enable-unsafe-swiftshader",
    // Menus that open below a pointer do so.
    `--blink-settings=${MOUSE}`,
    // No sound to nobody.
    ...(spec.isHeadless ? ["--mute-audio"] : []),
    // Pictures without scroll bars; but a mouse and no scroll bars is what only headless browsers have.
    ...(spec.isHeadless && !spec.isStealthy ? ["--hide-scrollbars"] : []),
    // Says openly that it is driven: navigator.webdriver is true, and a bar tells whoever watches.
    ...(spec.isStealthy ? [] : ["--enable-automation"]),
    // The shell alone says so of itself. Where there is a window, this would be one more bar: it warns of the switch.
    ...(spec.isStealthy && isShell ? ["--disable-blink-features=AutomationControlled"] : []),
    ...(userAgent !== undefined && spec.isStealthy && isShell ? [`--user-agent=${userAgent}`] : []),
    // The process it saves is a tenth of the shell's memory; on Linux it has no sandbox that could be lost.
    ...(isShell ? ["--enable-features=NetworkServiceInProcess2"] : []),
    `--disable-features=${DISABLED_FEATURES.join(",")}`,
  ];
}

/** How large windows are; graphical browsers have that from their preferences, unless the client places the window. */
function windowSwitches(spec: Spec, screen: Size): string[] {
  const isPlaced = spec.switches.some((each) => ["--window-size", "--window-position"].includes(nameOf(each)));
  if (!spec.isHeadless && !isPlaced) return [];
  const { window } = toDimensions(spec, screen);
  return [`--window-size=${window.width},${window.height}`, "--window-position=0,0"];
}

/** Switches that keep a browser where it belongs; nothing replaces them. */
export function fixedSwitches(
  spec: Spec,
  place: { readonly devtoolsPort: number; readonly home: string; readonly proxyUrl: string; readonly screen: Size },
): string[] {
  return [
    ...(spec.isHeadless ? headlessSwitches(spec, place.screen) : []),
    `--remote-debugging-port=${place.devtoolsPort}`,
    `--user-data-dir=${place.home}/${PROFILE_FOLDER}`,
    // Everything goes through the cell's way out, addresses that look local included.
    `--proxy-server=${place.proxyUrl}`,
    "--proxy-bypass-list=<-loopback>",
    // What can't go through a proxy does not go at all.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    // Crash reports would be sent to its maker, and fill the disk until then.
    "--disable-breakpad",
    "--disable-crash-reporter",
  ];
}

/** How a browser is told to do without a screen, and what it is to think of the one it has not. */
function headlessSwitches(spec: Spec, screen: Size): string[] {
  const { width, height } = toDimensions(spec, screen).screen;
  const info = `--screen-info={${width}x${height}}`;
  if (spec.kind === "chrome-headless-shell") return ["--headless", info];
  // The ordinary browser, drawing into memory: it does not call itself headless anywhere, where a user agent given on the
  // command line would leave navigator.userAgentData half empty.
  if (spec.isStealthy) return ["--ozone-platform=headless", `--ozone-override-screen-size=${width},${height}`];
  return ["--headless=new", info];
}
