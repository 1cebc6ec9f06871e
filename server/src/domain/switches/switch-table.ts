import { IDENTITY, FONTS, WINDOW } from "./switch-table/appearance.ts";
import type { SwitchGroup, SwitchRow } from "./switch-values.ts";
import { GRAPHICS, MEDIA } from "./switch-table/media.ts";
import { FEATURES, NETWORK, PAGES } from "./switch-table/pages.ts";
import { QUIET } from "./switch-table/quiet.ts";
import { REFUSED, UNKNOWN_REASON } from "./switch-table/refused.ts";
import { WITHOUT_EFFECT } from "./switch-table/without-effect.ts";

/** All switches that the service passes on to the browser. */
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
 * Default switches that a client can't remove, with the reasons. A switch that confines the browser must be listed here
 * and among the refused or ineffective switches.
 */
export const PROTECTING: ReadonlyMap<string, string> = new Map([
  ["--remote-debugging-port", "the service connects to the browser through this port"],
  ["--user-data-dir", "it separates browsers"],
  ["--proxy-server", "it keeps traffic on the proxy; the option Proxy chooses the proxy"],
  ["--proxy-bypass-list", "traffic could otherwise bypass the proxy"],
  ["--webrtc-ip-handling-policy", "traffic could otherwise bypass the proxy"],
  ["--force-webrtc-ip-handling-policy", "traffic could otherwise bypass the proxy"],
  ["--disable-quic", "traffic could otherwise bypass the proxy"],
  ["--disable-breakpad", "crash reports would otherwise leave the machine"],
  ["--disable-crash-reporter", "crash reports would otherwise leave the machine"],
  ["--disable-crashpad-for-testing", "crash reports are disabled, so the processes that write them aren't needed"],
  ["--headless", "the Headless option controls this"],
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
