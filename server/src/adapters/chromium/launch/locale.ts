import type { BrowserSpec } from "../../../ports/browser-host.ts";
import { valueOf } from "./switch-of.ts";

export type Locale = {
  /** Language of the browser and of `Intl`, such as `de-DE`. */
  readonly language: string;
  /** The value of `Accept-Language` without weights, such as `de-DE,de,en-US,en`. */
  readonly acceptLanguage: string;
  /** A name from the time zone database. */
  readonly timeZone: string;
};

const ENGLISH = "en-US";

/** Reads the language and time zone from the client's switches. Missing values get defaults. */
export function toLocale({ kind, switches }: Pick<BrowserSpec, "kind" | "switches">): Locale {
  const chosen = valueOf(switches, "--accept-lang");
  const [best] = chosen?.split(",") ?? [];
  const language = (valueOf(switches, "--lang") ?? best ?? ENGLISH).replaceAll("_", "-");
  // The headless shell sends languages without weights, and its shared workers report only one language.
  const standard = kind === "chrome-headless-shell" ? language : withEnglish(language);
  return {
    language,
    acceptLanguage: chosen ?? standard,
    timeZone: valueOf(switches, "--time-zone-for-testing") ?? "UTC",
  };
}

/** On Linux, Chromium reads its language only from the environment and ignores `--lang`. */
export function toLocaleEnvironment({ language, timeZone }: Locale): Record<string, string> {
  const posix = language.replaceAll("-", "_");
  return { LANG: `${posix}.UTF-8`, LANGUAGE: posix, TZ: timeZone };
}

/** Returns Chromium's default list: the language with and without its country, then English. */
function withEnglish(language: string): string {
  const [anywhere = language] = language.split("-", 1);
  return [...new Set([language, ...(anywhere === "en" ? [] : [anywhere]), ENGLISH, "en"])].join(",");
}
