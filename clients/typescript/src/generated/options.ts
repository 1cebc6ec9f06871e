// Generated from openapi.yaml by `npm run generate`: change that file, not this one.

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
 * By its name, or as the number.
 */
export type SupportedBrowser = keyof typeof SUPPORTED_BROWSER | components["schemas"]["SupportedBrowser"];

/**
 * A proxy of your own; `Host` and `Port` have to be given. Its credentials stay with the service: they appear on no
 * command line and in no log.
 */
export interface ProxyOptions {
  /**
   * Name or address of the proxy. It may begin with `http://`, which is meant when nothing is said, `https://` or
   * `socks5://`; any other scheme is a `BadRequest`. With it, it has 1 to 262 characters. The port has a member of its
   * own.
   */
  readonly host: string;
  /** The proxy's port, from 1 to 65535, as a string of digits. A JSON number is a `BadRequest`. */
  readonly port: string;
  /** User name for the proxy, of 1,024 characters at most. Left out, the proxy is used without credentials. */
  readonly username?: string | null | undefined;
  /**
   * Password for the proxy, of 1,024 characters at most. Left out beside a user name, it is empty; without a user
   * name, it is a `BadRequest`.
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

/** What Open is asked for. Every option may be left out or `null`, which means the same. */
export interface OpenOptions {
  /**
   * Arguments for the browser's command line. They are added to the service's default arguments, and a switch that
   * stands among the defaults as well takes the default's place. Left out, the browser gets the defaults alone. There
   * may be 100 at most, each of 1 to 4,096 characters.
   *
   * Switches are allowed by name; `docs/arguments` lists them. Some that stand in many copied scripts and would
   * only loosen the browser's protection, such as `--no-sandbox` and `--disable-dev-shm-usage`, are accepted but
   * have no effect. Switches that run programs, open files, move ports or proxies, and switches that are not in
   * the list, are a `BadRequest` that names them.
   */
  readonly args?: readonly string[] | null | undefined;
  /**
   * Default arguments that the browser is to be started without, by the names of their switches. Left out, it gets
   * all of them. There may be 100 at most, each of 1 to 4,096 characters. A default that protects the machine or its
   * other users cannot be removed: naming one is a `BadRequest`.
   */
  readonly ignoredDefaultArgs?: readonly string[] | null | undefined;
  /**
   * Whether the browser runs without a graphical interface. Left out, it is `false`: the browser has a screen,
   * which a remote desktop can show. ChromeHeadlessShell is headless whatever is said here.
   */
  readonly headless?: boolean | null | undefined;
  /**
   * Whether the browser hides, as far as its service honestly can, that a program drives it: no automation
   * switch, and a user agent, language and time zone that fit together. Left out, it is `true`. It is no promise
   * that no site can tell.
   */
  readonly stealth?: boolean | null | undefined;
  /**
   * Which kind of browser to open. Left out, it is Chromium (2). A kind that this deployment does not have is
   * answered with 503 `BrowserUnavailable`.
   */
  readonly browser?: SupportedBrowser | null | undefined;
  /**
   * For how many **seconds** the browser stays open while nobody is connected to it. Left out, it is 30.
   * Fractions are allowed. The period starts when the browser opens and whenever its last client or desktop
   * viewer leaves; as long as one is connected, nothing is counted. A negative number is a `BadRequest`.
   *
   * 0, and every value above the maximum lifetime of the account's plan, count as that maximum. On a plan
   * without one, 0 means that the browser stays open until it is closed.
   */
  readonly keepOpen?: number | null | undefined;
  /**
   * The proxy that the browser's traffic leaves through. Left out, the service assigns one of its own when the
   * browser opens, and if it has none, the traffic leaves directly.
   */
  readonly proxy?: ProxyOptions | null | undefined;
  /**
   * A name by which you recognise the browser in the list. It does not have to be unique. It has at most 256
   * characters, counted as Unicode code points, and is listed as it was sent. Left out, the browser has none, and
   * the list shows `null`.
   */
  readonly label?: string | null | undefined;
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
} as const;
