import { DISABLED_FEATURES, ENABLED_FEATURES } from "../switch-features.ts";
import { CIPHERS, integer, KEY_HASHES, oneOf, ORIGINS, PORTS, settings, type SwitchGroup } from "../switch-values.ts";

const TRUTH = /^(true|false)$/;
const NUMBER = /^\d{1,4}$/;
const MEGABYTES = /^\d{1,5}$/;

const BLINK_SETTINGS = settings(
  {
    imagesEnabled: TRUTH,
    loadsImagesAutomatically: TRUTH,
    scriptEnabled: TRUTH,
    forceDarkModeEnabled: TRUTH,
    preferredColorScheme: NUMBER,
    primaryHoverType: NUMBER,
    availableHoverTypes: NUMBER,
    primaryPointerType: NUMBER,
    availablePointerTypes: NUMBER,
    defaultFontSize: NUMBER,
    minimumFontSize: NUMBER,
  },
  /,/,
  "settings separated by commas: `imagesEnabled`, `loadsImagesAutomatically`, `scriptEnabled`, `forceDarkModeEnabled` " +
    "(`true` or `false`), `preferredColorScheme`, `primaryHoverType`, `availableHoverTypes`, `primaryPointerType`, " +
    "`availablePointerTypes`, `defaultFontSize`, `minimumFontSize` (numbers)",
);

/** Other V8 flags disable protections or write files, so they aren't allowed. */
const SCRIPT_FLAGS = settings(
  {
    "--expose-gc": /^$/,
    "--expose_gc": /^$/,
    "--jitless": /^$/,
    "--noexpose_wasm": /^$/,
    "--no-expose-wasm": /^$/,
    "--max-old-space-size": MEGABYTES,
    "--max_old_space_size": MEGABYTES,
    "--max-semi-space-size": MEGABYTES,
    "--optimize-for-size": /^$/,
    "--random-seed": /^\d{1,10}$/,
  },
  /[ ,]/,
  "flags separated by spaces or commas: `--expose-gc`, `--jitless`, `--no-expose-wasm`, `--optimize-for-size`, " +
    "`--max-old-space-size=MB`, `--max-semi-space-size=MB`, `--random-seed=NUMBER`",
);

export const PAGES: SwitchGroup = {
  title: "Pages and scripts",
  rows: [
    ["--blink-settings", BLINK_SETTINGS, "Page settings, such as `imagesEnabled=false`."],
    ["--js-flags", SCRIPT_FLAGS, "Flags for the JavaScript engine."],
    ["--disable-popup-blocking", undefined, "Pages can open pop-up windows without a user gesture."],
    ["--block-new-web-contents", undefined, "In headless mode, pages can't open windows."],
    ["--disable-notifications", undefined, "Pages can't show notifications."],
    ["--deny-permission-prompts", undefined, "Denies pages' permission requests without a prompt."],
    ["--disable-extensions", undefined, "No extensions."],
    ["--disable-component-extensions-with-background-pages", undefined, "No built-in background extensions."],
    ["--disable-back-forward-cache", undefined, "Going back reloads the page."],
    ["--disable-local-storage", undefined, "No `localStorage`."],
    ["--disable-file-system", undefined, "Pages can't use the File System API."],
    ["--disable-shared-workers", undefined, "No shared workers."],
    ["--disable-speech-api", undefined, "No speech recognition or synthesis."],
    ["--disable-speech-synthesis-api", undefined, "No speech synthesis."],
    ["--disable-presentation-api", undefined, "No presentation API."],
    ["--disable-remote-playback-api", undefined, "No remote playback API."],
    ["--disable-reading-from-canvas", undefined, "Scripts can't read canvas pixels."],
    ["--enable-precise-memory-info", undefined, "`performance.memory` is exact."],
    ["--enable-experimental-web-platform-features", undefined, "Enables unfinished web features."],
    ["--enable-network-information-downlink-max", undefined, "Pages see `navigator.connection.downlinkMax`."],
    ["--enable-privacy-sandbox-ads-apis", undefined, "Enables the Privacy Sandbox APIs for advertisements."],
    ["--allow-pre-commit-input", undefined, "Pages receive input before their first paint."],
    ["--disable-ipc-flooding-protection", undefined, "Scripts may navigate and change history without rate limits."],
    ["--generate-pdf-document-outline", undefined, "Adds an outline to PDFs of pages."],
    ["--disable-prompt-on-repost", undefined, "Forms are resubmitted without confirmation."],
    ["--disable-hang-monitor", undefined, "The browser doesn't ask whether to wait for a slow page."],
  ],
};

export const FEATURES: SwitchGroup = {
  title: "Features",
  rows: [
    ["--enable-features", ENABLED_FEATURES, "Enables browser features. Repeated lists are combined."],
    [
      "--disable-features",
      DISABLED_FEATURES,
      "Disables browser features. Repeated lists are combined with each other and with the service's own list.",
    ],
    ["--enable-blink-features", ENABLED_FEATURES, "Enables page features. Repeated lists are combined."],
    [
      "--disable-blink-features",
      DISABLED_FEATURES,
      "Disables page features, such as `AutomationControlled`. Repeated lists are combined.",
    ],
  ],
};

export const NETWORK: SwitchGroup = {
  title: "Networking and page security",
  rows: [
    ["--ignore-certificate-errors", undefined, "Opens sites with invalid certificates."],
    ["--ignore-certificate-errors-spki-list", KEY_HASHES, "Ignores certificate errors for these public keys."],
    ["--allow-insecure-localhost", undefined, "Opens `localhost` with invalid certificates."],
    ["--allow-running-insecure-content", undefined, "Secure pages may run insecure scripts."],
    ["--unsafely-treat-insecure-origin-as-secure", ORIGINS, "Treats these sites as secure."],
    ["--disable-web-security", undefined, "Pages may read responses from other sites. This affects only your browser."],
    ["--disable-site-isolation-trials", undefined, "Frames from other sites share the page's process."],
    ["--site-per-process", undefined, "Every site has its own process."],
    ["--isolate-origins", ORIGINS, "Each of these sites has its own process."],
    ["--ssl-version-min", oneOf("tls1.2", "tls1.3"), "Oldest TLS version."],
    ["--ssl-version-max", oneOf("tls1.2", "tls1.3"), "Newest TLS version."],
    ["--cipher-suite-blacklist", CIPHERS, "Cipher suites that the browser doesn't offer."],
    ["--disable-http2", undefined, "HTTP/1.1 only."],
    ["--explicitly-allowed-ports", PORTS, "Allows ports that browsers block by default."],
    ["--no-pings", undefined, "Links with a `ping` attribute send no pings."],
    ["--test-third-party-cookie-phaseout", undefined, "Third-party cookies are blocked."],
    ["--renderer-process-limit", integer(1, 100), "Maximum number of page processes."],
    ["--process-per-site", undefined, "Pages of the same site share a process."],
    ["--disk-cache-size", integer(1, 1_073_741_824 / 2), "Cache size in bytes."],
    ["--enable-low-end-device-mode", undefined, "Saves memory."],
    ["--disable-low-end-device-mode", undefined, "Disables memory savings on small machines."],
  ],
};
