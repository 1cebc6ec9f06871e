import { decimal, LANGUAGE, LANGUAGES, oneOf, pair, printable, TIME_ZONE, type SwitchGroup } from "../switch-values.ts";

export const WINDOW: SwitchGroup = {
  title: "Window and screen",
  rows: [
    [
      "--window-size",
      pair("WIDTH,HEIGHT", 1, 8192),
      "Window size in pixels. A graphical window is limited to its screen, 1920×1080.",
    ],
    ["--window-position", pair("X,Y", -16_384, 16_384), "Window position on the screen."],
    ["--start-maximized", undefined, "The window fills the screen."],
    ["--start-fullscreen", undefined, "The window fills the screen, without tabs or an address bar."],
    ["--kiosk", undefined, "Full screen that pages and keys can't exit."],
    ["--new-window", undefined, "Opens a new window."],
    ["--incognito", undefined, "The first window is an incognito window."],
    ["--guest", undefined, "The first window is a guest window."],
    ["--hide-scrollbars", undefined, "Hides scroll bars, as in screenshots."],
    ["--force-device-scale-factor", decimal(0.25, 8), "Device pixels per CSS pixel."],
    ["--touch-events", oneOf("enabled", "disabled", "auto"), "Whether pages detect a touch screen."],
    ["--disable-infobars", undefined, "No bars between the address bar and the page."],
    ["--hide-crash-restore-bubble", undefined, "No offer to restore pages after a crash."],
    ["--noerrdialogs", undefined, "No error dialogs."],
    ["--auto-open-devtools-for-tabs", undefined, "Opens the developer tools in every tab."],
    ["--force-renderer-accessibility", undefined, "Always builds the accessibility tree."],
  ],
};

export const FONTS: SwitchGroup = {
  title: "Fonts and colours",
  rows: [
    ["--font-render-hinting", oneOf("none", "slight", "medium", "full"), "Font hinting in headless mode."],
    ["--disable-lcd-text", undefined, "Disables coloured edges (subpixel antialiasing) on text."],
    ["--disable-font-subpixel-positioning", undefined, "Aligns letters to whole pixels."],
    ["--disable-remote-fonts", undefined, "Pages don't load web fonts."],
    [
      "--force-color-profile",
      oneOf("srgb", "generic-rgb", "display-p3-d65", "color-spin-gamma24", "scrgb-linear", "hdr10"),
      "Colour profile of the screen.",
    ],
    ["--force-dark-mode", undefined, "Dark mode for the browser and for pages that support it."],
    ["--force-high-contrast", undefined, "Tells pages that the user prefers high contrast."],
    ["--force-prefers-reduced-motion", undefined, "Tells pages that the user prefers reduced motion."],
    ["--disable-smooth-scrolling", undefined, "Scrolling is not animated."],
    ["--enable-smooth-scrolling", undefined, "Scrolling is animated."],
  ],
};

export const IDENTITY: SwitchGroup = {
  title: "Language, time and identity",
  rows: [
    ["--lang", LANGUAGE, "Language of the browser, of `Intl`, and of requests to sites; `en-US` by default."],
    ["--accept-lang", LANGUAGES, "Languages in requests to sites; `--lang` by default."],
    [
      "--time-zone-for-testing",
      TIME_ZONE,
      "Time zone of the browser and its pages; `UTC` by default. It works in every kind of browser, unlike Chromium's own switch.",
    ],
    ["--user-agent", printable(1024), "User agent in requests and scripts. Client hints and platform don't change."],
    ["--use-mobile-user-agent", undefined, "Uses a phone's user agent."],
    ["--enable-automation", undefined, "Tells pages that the browser is automated: `navigator.webdriver` is true."],
  ],
};
