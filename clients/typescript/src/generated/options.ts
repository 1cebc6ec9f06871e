// Generated from the contract by `npm run generate`: change the files in openapi/, not this one.

import type { components } from "./types.ts";

/** The number of each kind. */
export const SUPPORTED_BROWSER = {
  Chrome: 0,
  Chromium: 2,
  ChromeHeadlessShell: 3,
} as const;

/**
 * A kind of browser: 0 is Chrome, 2 is Chromium, and 3 is ChromeHeadlessShell, a small Chromium that is always
 * headless. Other numbers, 1 included, are a `BadRequest`.
 *
 * Pass the name or the number.
 */
export type SupportedBrowser = keyof typeof SUPPORTED_BROWSER | components["schemas"]["SupportedBrowser"];

/**
 * A proxy of your own; `Host` and `Port` are required. Its credentials stay with the service: they do not appear
 * on a command line or in a log.
 */
export interface ProxyOptions {
  /**
   * Name or address of the proxy. It may begin with `http://`, which is the default, `https://` or `socks5://`;
   * any other scheme is a `BadRequest`, except `socks5h://`, which means the same as `socks5://`. It has 1 to 262
   * characters, including the scheme. `Port` has the port.
   *
   * A name consists of ASCII letters, digits, `-` and `_`, in labels separated by dots, and may end with a dot. An IPv6 address may be
   * in brackets. Anything else, such as credentials, a port or a path, is a `BadRequest`.
   */
  readonly host: string;
  /** The proxy's port, from 1 to 65535, as a string of digits. A JSON number is a `BadRequest`. */
  readonly port: string;
  /**
   * User name for the proxy, of at most 1,024 characters. By default, the service sends the proxy no
   * credentials.
   */
  readonly username?: string | null | undefined;
  /**
   * Password for the proxy, of at most 1,024 characters. By default, it is empty. A password without a user name
   * is a `BadRequest`.
   */
  readonly password?: string | null | undefined;
}

/** The name of each option on the wire. */
export const PROXY = {
  host: { wire: "Host" },
  port: { wire: "Port" },
  username: { wire: "Username" },
  password: { wire: "Password" },
} as const;

/**
 * The size of the browser's first page: its `innerWidth`, `innerHeight` and `devicePixelRatio`. `Width` and `Height` are required. The
 * screen that the page sees can be larger: `screen.height` includes the frame of a graphical browser, with its tabs and address bar. A
 * size that this kind of browser can't have, such as one with too many device pixels, is a `BadRequest`. Each member has a second,
 * camelCase spelling, named by `x-alias`.
 */
export interface ScreenOptions {
  /** Width in CSS pixels, from 200 to 3840. */
  readonly width: number;
  /** Height in CSS pixels, from 200 to 2160. */
  readonly height: number;
  /** Device pixels per CSS pixel, from 0.5 to 3. The default is 1. */
  readonly scale?: number | null | undefined;
}

/** The name of each option on the wire. */
export const SCREEN = {
  width: { wire: "Width" },
  height: { wire: "Height" },
  scale: { wire: "Scale" },
} as const;

/** The options of Open. Every option may be omitted or `null`, which means the same. */
export interface OpenOptions {
  /**
   * Arguments for the browser's command line. They are added to the service's default arguments, and a switch
   * that is also a default replaces that default. By default, the browser gets only the service's own. At most
   * 100, each of 1 to 4,096 characters.
   *
   * Switches are allowed by name, and each deployment has its own list. Every list contains `--window-size`,
   * `--force-device-scale-factor`, `--lang`, `--time-zone-for-testing`, `--user-agent`, `--hide-scrollbars`, `--mute-audio`,
   * `--disable-gpu`, `--disable-extensions`, `--disable-notifications`, `--disable-features`, `--disable-blink-features` and
   * `--no-first-run`. Some that many scripts contain and that would only weaken the browser's protection, such as `--no-sandbox` and
   * `--disable-dev-shm-usage`, are accepted but have no effect. Switches that run programs, open files, move ports or proxies, and
   * switches that are not in the list, are a `BadRequest` that names them.
   */
  readonly args?: readonly string[] | null | undefined;
  /**
   * Default arguments that the service leaves out when it starts the browser, by the names of their switches. By
   * default, the browser gets all of them. At most 100, each of 1 to 4,096 characters. A default that protects
   * the machine or its other users cannot be removed: naming one is a `BadRequest`. A name that is not a default has no effect.
   */
  readonly ignoredDefaultArgs?: readonly string[] | null | undefined;
  /**
   * Whether the browser runs without a graphical interface. The default is `false`: the browser has a screen,
   * which a remote desktop can show. ChromeHeadlessShell is always headless.
   */
  readonly headless?: boolean | null | undefined;
  /**
   * Whether the browser hides that a program controls it: no automation switch, and a user agent, language and
   * time zone that are consistent. The default is `true`. Some sites can still detect automation.
   */
  readonly stealth?: boolean | null | undefined;
  /**
   * Which kind of browser to open. The default is Chromium (2). For a kind that this deployment does not have,
   * the response is 503 `BrowserUnavailable`.
   */
  readonly browser?: SupportedBrowser | null | undefined;
  /**
   * How many **seconds** the browser stays open while no client is connected. The default is 30. Fractions are
   * allowed. The period starts when the browser opens and whenever its last client or desktop viewer
   * disconnects; while one is connected, the period does not run. A negative number is a `BadRequest`.
   *
   * 0, and every value above the maximum lifetime of the account's plan, mean that maximum. On a plan without a
   * maximum lifetime, 0 means that the browser stays open until it is closed.
   */
  readonly keepOpen?: number | null | undefined;
  /**
   * The proxy for the browser's traffic. By default, the service assigns one of its own when the browser opens;
   * if it has none, the browser connects directly.
   */
  readonly proxy?: ProxyOptions | null | undefined;
  /**
   * A name by which you recognize the browser in the list. It does not have to be unique. It has at most 256
   * characters, counted as Unicode code points, and is listed as it was sent. By default, the browser has no
   * label, and the list shows `null`.
   */
  readonly label?: string | null | undefined;
  /**
   * Words by which you find browsers, such as the name of a job: at most 20, each of 1 to 128 characters. They are listed as they were
   * sent. By default, the browser has no tags.
   */
  readonly tags?: readonly string[] | null | undefined;
  /**
   * How many **seconds** after its opening the browser is closed, even if clients are connected. By default, it is the maximum
   * lifetime of the account's plan. Fractions are allowed. 0, and every value above that maximum, mean the maximum. A negative number
   * is a `BadRequest`.
   */
  readonly lifetime?: number | null | undefined;
  /**
   * How many **seconds** the request may take if it has to wait, because the account has reached its parallel limit or the machine is
   * full. Waiting and starting the browser count together. Fractions are allowed, and the maximum is 45. By default, and with 0, the
   * request is refused immediately.
   */
  readonly waitForPlace?: number | null | undefined;
  /**
   * The size of the browser's first page, in all kinds of browsers. By default, it depends on the deployment. A size or scale that an
   * argument contradicts is a `BadRequest`.
   */
  readonly screen?: ScreenOptions | null | undefined;
  /**
   * The language of the browser: what sites see in `Accept-Language`, `navigator.language` and the formats of `Intl`. It is a BCP 47
   * language tag, such as `de-DE`. The default is `en-US`. A language that an argument contradicts is a `BadRequest`.
   */
  readonly language?: string | null | undefined;
  /**
   * The time zone of the browser, by its name in the IANA time zone database, such as `Europe/Berlin`. The default is `UTC`. A time
   * zone that an argument contradicts is a `BadRequest`.
   */
  readonly timeZone?: string | null | undefined;
}

/** The name of each option on the wire. */
export const OPEN_OPTIONS = {
  args: { wire: "Args" },
  ignoredDefaultArgs: { wire: "IgnoredDefaultArgs" },
  headless: { wire: "Headless" },
  stealth: { wire: "Stealth" },
  browser: { wire: "Browser", kinds: SUPPORTED_BROWSER },
  keepOpen: { wire: "KeepOpen" },
  proxy: { wire: "Proxy", members: PROXY },
  label: { wire: "Label" },
  tags: { wire: "Tags" },
  lifetime: { wire: "Lifetime" },
  waitForPlace: { wire: "WaitForPlace" },
  screen: { wire: "Screen", members: SCREEN },
  language: { wire: "Language" },
  timeZone: { wire: "TimeZone" },
} as const;

/** The new values of a browser. A value that is omitted or `null` stays as it is. Without any new value, the call fails with `BadRequest`. */
export interface UpdateOptions {
  /** The inactivity period in seconds, as the option `KeepOpen` of Open. A running period gets the new length. */
  readonly keepOpen?: number | null | undefined;
  /** The lifetime in seconds, counted from the opening, as the option `Lifetime` of Open. A browser that is older is closed. */
  readonly lifetime?: number | null | undefined;
  /** The label, as the option `Label` of Open. */
  readonly label?: string | null | undefined;
  /** All tags, as the option `Tags` of Open. They replace the former ones. */
  readonly tags?: readonly string[] | null | undefined;
}

/** The name of each option on the wire. */
export const UPDATE_OPTIONS = {
  keepOpen: { wire: "keepOpen" },
  lifetime: { wire: "lifetime" },
  label: { wire: "label" },
  tags: { wire: "tags" },
} as const;

/** Which browsers in the history to list. Every member may be omitted or `null`, which means the same. */
export interface HistoryOptions {
  /** Only browsers that were open at this moment or later: a date and time by RFC 3339. Other text is a `BadRequest`. */
  readonly since?: Date | string | null | undefined;
  /** Only browsers that were opened before this moment, as `since`. */
  readonly until?: Date | string | null | undefined;
  /** Only browsers with this label. */
  readonly label?: string | null | undefined;
  /** Only browsers that have this tag. */
  readonly tag?: string | null | undefined;
}

/** The name of each option on the wire. */
export const HISTORY_OPTIONS = {
  since: { wire: "since" },
  until: { wire: "until" },
  label: { wire: "label" },
  tag: { wire: "tag" },
} as const;
