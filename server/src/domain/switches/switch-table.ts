import { IDENTITY, LOOK, WINDOW } from "./switch-table/appearance.ts";
import type { SwitchGroup, SwitchRow } from "./switch-table/group.ts";
import { GRAPHICS, MEDIA } from "./switch-table/media.ts";
import { FEATURES, NETWORK, PAGES } from "./switch-table/pages.ts";
import { QUIET } from "./switch-table/quiet.ts";
import { REFUSED, UNKNOWN_REASON } from "./switch-table/refused.ts";
import { WITHOUT_EFFECT } from "./switch-table/without-effect.ts";

/** All switches that reach the browser. */
export const ACCEPTED: readonly SwitchGroup[] = [
  WINDOW,
  IDENTITY,
  PAGES,
  FEATURES,
  NETWORK,
  GRAPHICS,
  LOOK,
  MEDIA,
  QUIET,
];

/**
 * Defaults that nobody can have left out, and why; a switch that keeps a browser where it belongs has to stand here and
 * among those that are refused or without effect.
 */
export const PROTECTING: ReadonlyMap<string, string> = new Map([
  ["--remote-debugging-port", "it is how the browser is reached"],
  ["--user-data-dir", "it is what keeps browsers apart"],
  ["--proxy-server", "it is what keeps traffic on its way; the option Proxy decides which"],
  ["--proxy-bypass-list", "it is what keeps traffic on its way"],
  ["--webrtc-ip-handling-policy", "it is what keeps traffic on its way"],
  ["--force-webrtc-ip-handling-policy", "it is what keeps traffic on its way"],
  ["--disable-quic", "it is what keeps traffic on its way"],
  ["--disable-breakpad", "crash reports would leave the machine"],
  ["--disable-crash-reporter", "crash reports would leave the machine"],
  ["--headless", "the option Headless decides it"],
]);

const ROWS: ReadonlyMap<string, SwitchRow> = new Map(ACCEPTED.flatMap(({ rows }) => rows).map((row) => [row[0], row]));
const INEFFECTIVE: ReadonlySet<string> = new Set(WITHOUT_EFFECT.flatMap(({ names }) => names));

/** What is to be done with a switch of this name. */
export type Verdict =
  | { readonly is: "accepted"; readonly row: SwitchRow }
  | { readonly is: "without effect" }
  | { readonly is: "refused"; readonly reason: string };

export function judgeSwitch(name: string): Verdict {
  const row = ROWS.get(name);
  if (row !== undefined) return { is: "accepted", row };
  if (INEFFECTIVE.has(name)) return { is: "without effect" };
  const isNamed = ({ names }: { readonly names: readonly string[] }) => names.includes(name);
  const family = REFUSED.find(isNamed) ?? REFUSED.find(({ pattern }) => pattern?.test(name));
  return { is: "refused", reason: family?.reason ?? UNKNOWN_REASON };
}
