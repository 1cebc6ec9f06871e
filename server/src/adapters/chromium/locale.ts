import type { BrowserSpec } from "../../ports/browser-host.ts";
import { valueOf } from "./switch-of.ts";

/** Where in the world a browser seems to be. */
export type Locale = {
  /** Language of the browser itself and of what `Intl` writes: `de-DE`. */
  readonly language: string;
  /** Languages that sites are asked for, the best one first: `de-DE,de,en-US,en`. */
  readonly asked: string;
  /** A name of the time zone database. */
  readonly timeZone: string;
};

const ENGLISH = "en-US";

/** Reads what a client says of language and time zone, and makes up the rest to go with it. */
export function toLocale({ kind, switches }: Pick<BrowserSpec, "kind" | "switches">): Locale {
  const given = valueOf(switches, "--accept-lang");
  const [best] = given?.split(",") ?? [];
  const language = (valueOf(switches, "--lang") ?? best ?? ENGLISH).replaceAll("_", "-");
  // The headless shell sends the list as it stands, without weights, and its shared workers know one language only.
  const asked = kind === "chrome-headless-shell" ? language : withEnglish(language);
  return { language, asked: given ?? asked, timeZone: valueOf(switches, "--time-zone-for-testing") ?? "UTC" };
}

/** Chromium decides by its environment alone which language it speaks: on Linux it does not look at `--lang`. */
export function toLocaleEnvironment({ language, timeZone }: Locale): Record<string, string> {
  const posix = language.replaceAll("-", "_");
  return { LANG: `${posix}.UTF-8`, LANGUAGE: posix, TZ: timeZone };
}

/** What Chromium itself asks for in each of its languages: the same language of any country next, English last. */
function withEnglish(language: string): string {
  const [anywhere = language] = language.split("-", 1);
  return [...new Set([language, ...(anywhere === "en" ? [] : [anywhere]), ENGLISH, "en"])].join(",");
}
