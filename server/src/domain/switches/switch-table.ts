import { IDENTITY, FONTS, WINDOW } from "./switch-table/appearance.ts";
import type { SwitchGroup, SwitchRow } from "./switch-values.ts";
import { GRAPHICS, MEDIA } from "./switch-table/media.ts";
import { FEATURES, NETWORK, PAGES } from "./switch-table/pages.ts";
import { QUIET } from "./switch-table/quiet.ts";
import { REFUSED, UNKNOWN_REASON } from "./switch-table/refused.ts";
import { WITHOUT_EFFECT } from "./switch-table/without-effect.ts";

/** All switches that the service passes to the browser. */
export const ACCEPTED: readonly SwitchGroup[] = [
  WINDOW,
  IDENTITY,
  PAGES,
  FEATURES,
  NETWORK,
  GRAPHICS,
  FONTS,
  MEDIA,
  QUIET,
];

/**
 * Default switches that a client can't remove, and why. A switch that confines the browser must be listed here, and
 * also among the refused or ineffective switches.
 */
export const PROTECTING: ReadonlyMap<string, string> = new Map([
  ["--remote-debugging-port", "the service connects to the browser through it"],
  ["--user-data-dir", "it separates browsers"],
  ["--proxy-server", "it keeps traffic on the proxy; the option Proxy chooses the proxy"],
  ["--proxy-bypass-list", "it keeps traffic on the proxy"],
  ["--webrtc-ip-handling-policy", "it keeps traffic on the proxy"],
  ["--force-webrtc-ip-handling-policy", "it keeps traffic on the proxy"],
  ["--disable-quic", "it keeps traffic on the proxy"],
  ["--disable-breakpad", "crash reports would leave the machine"],
  ["--disable-crash-reporter", "crash reports would leave the machine"],
  ["--disable-crashpad-for-testing", "without crash reports, the processes that write them are of no use"],
  ["--headless", "the option Headless controls this"],
]);

const ROWS: ReadonlyMap<string, SwitchRow> = new Map(ACCEPTED.flatMap(({ rows }) => rows).map((row) => [row[0], row]));
const INEFFECTIVE: ReadonlySet<string> = new Set(WITHOUT_EFFECT.flatMap(({ names }) => names));

type SwitchRule =
  | { readonly is: "accepted"; readonly row: SwitchRow }
  | { readonly is: "without effect" }
  | { readonly is: "refused"; readonly reason: string };

export function findSwitchRule(name: string): SwitchRule {
  const row = ROWS.get(name);
  if (row !== undefined) return { is: "accepted", row };
  if (INEFFECTIVE.has(name)) return { is: "without effect" };
  const isNamed = ({ names }: { readonly names: readonly string[] }) => names.includes(name);
  const family = REFUSED.find(isNamed) ?? REFUSED.find(({ pattern }) => pattern?.test(name));
  return { is: "refused", reason: family?.reason ?? UNKNOWN_REASON };
}
