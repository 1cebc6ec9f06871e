import { env, exit, stderr, stdout } from "node:process";
import { startCommand } from "../../../command-line/src/command-line.ts";
import { type Examination, type ExaminedBrowser, examine } from "../app/compose/examine.ts";
import { readConfig } from "../config/config.ts";
import { describeBlocker } from "../domain/browser/blocker.ts";
import { DOCTOR_COMMAND, VERSION } from "./installed.ts";

const USAGE = `${DOCTOR_COMMAND}

Shows what this machine allows and which protections hold, and opens a browser of each kind. Set the environment as for the
server. Exits with 1 if no browser can be opened.
`;

/** Older browsers lack several rounds of security fixes. */
const OLD_DAYS = 45;

const MARKS = { true: "yes", false: "NO", undefined: "-" } as const;

/** Formats table rows that consist of a mark, a name and a remark. */
function toLines(rows: readonly (readonly [mark: string, name: string, remark?: string | undefined])[]): string {
  return rows
    .map(([mark, name, remark]) => `  ${mark.padEnd(4)}${name}${remark === undefined ? "" : `: ${remark}`}\n`)
    .join("");
}

function describe({ needs, blocker, protections, browsers, clockFault }: Examination): string {
  const blocked = blocker === undefined ? "" : `\n${describeBlocker(blocker)}\n`;
  return [
    "What this machine allows\n",
    toLines(Object.entries(needs).map(([name, isMet]) => [MARKS[`${isMet}`], name])),
    blocked,
    clockFault === undefined ? "" : `\n${clockFault}\n`,
    "\nWhat protects browsers\n",
    toLines(Object.entries(protections).map(([name, why]) => [why === undefined ? "yes" : "NO", name, why])),
    "\nBrowsers\n",
    browsers.length === 0 ? "  No browser is installed. Install chromium or chromium-headless-shell.\n" : "",
    toLines(browsers.map(toRow)),
  ].join("");
}

function toRow({ kind, version, isHeadless, ageDays, opened }: ExaminedBrowser): readonly [string, string, string] {
  const age = `${ageDays} days old${ageDays > OLD_DAYS ? ", so it lacks security fixes: update it" : ""}`;
  const name = `${kind} ${version}${isHeadless ? "" : " with a screen"}`;
  return "ms" in opened
    ? ["yes", name, `${age}; opened in ${Math.round(opened.ms)} ms`]
    : ["NO", name, `${age}; ${opened.problem}`];
}

async function main(): Promise<void> {
  startCommand({ usage: USAGE, version: VERSION });
  const found = await examine(readConfig(env));
  stdout.write(describe(found));
  const isReady = found.blocker === undefined && found.clockFault === undefined;
  exit(isReady && found.browsers.some(({ opened }) => "ms" in opened) ? 0 : 1);
}

main().catch((error: unknown) => {
  stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  exit(1);
});
