import { ACCOUNT_COMMAND, IS_INSTALLED } from "./installed.ts";
import type { Service } from "../app/app.ts";
import { type BrowserBounds, toMegabytes } from "../domain/machine/bounds.ts";
import type { Verdict } from "../services/health/readiness.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Shows the operator's account that the first start created, and how to open a browser with it.
 * @param options.environment The server's environment.
 * @param options.publicUrl `RBS_PUBLIC_URL`, where users sign in.
 * @param options.isFake Fake browsers don't know enough DevTools commands for the first program.
 * @param options.hasProgram Whether the first program is in the working folder.
 * @returns Nothing after later starts.
 */
export function introduce(
  { url, firstAccount }: Pick<Service, "url" | "firstAccount">,
  options: {
    readonly environment: Environment;
    readonly publicUrl: URL | undefined;
    readonly isFake: boolean;
    readonly hasProgram: boolean;
  },
): string {
  if (firstAccount === undefined) return "";
  const { email, token, password } = firstAccount;
  const dashboard = `${(options.publicUrl ?? url).href.replace(/\/+$/, "")}/dashboard`;
  return [
    `Account:  ${email}`,
    `Password: ${password}   (for the dashboard: ${dashboard})`,
    `Token:    ${token}   (for programs)`,
    `Save both now: they are shown only once. To replace them${introduceCommand(options.environment)}${ACCOUNT_COMMAND} password (or token) --email ${email}`,
    "",
    ...toFirstBrowser({ ...options, url, token, dashboard }),
    "",
    "",
  ].join("\n");
}

/**
 * What stands before the command: the settings with which it finds the same accounts and plans. The installed one finds
 * them by itself. The URL of a database can contain its password, so it isn't repeated.
 */
function introduceCommand(environment: Environment): string {
  if (IS_INSTALLED) return ": ";
  const isShared = ["RBS_DATABASE_URL", "RBS_DATABASE_URL_FILE"].some((name) => (environment[name] ?? "") !== "");
  if (isShared) return ", run this with all settings of the server: ";
  const settings = ["RBS_DATA_DIR", "RBS_PLANS"]
    .map((name) => [name, environment[name] ?? ""] as const)
    .map(([name, value]) => (value === "" ? "" : `${name}=${quote(value)} `));
  return `: ${settings.join("")}`;
}

/** One word of a POSIX shell. */
function quote(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

type First = {
  readonly isFake: boolean;
  readonly hasProgram: boolean;
  readonly url: URL;
  readonly token: string;
  readonly dashboard: string;
};

function toFirstBrowser({ isFake, hasProgram, url, token, dashboard }: First): string[] {
  if (isFake)
    return ["Browsers are fake: you can open, list and close them, but automation libraries can't drive them."];
  if (!hasProgram) return [`To open your first browser, sign in and follow ${dashboard}/quick-start`];
  return [
    "To open your first browser, run this in the current folder:",
    "",
    `  RBS_URL=${url.origin} RBS_TOKEN=${token} npx node docs/first-browser.ts`,
  ];
}

/** Says what a browser may use, whether the server can open one, and where it listens. */
export function announce({ url, bounds }: Pick<Service, "url" | "bounds">, verdict: Verdict): string {
  const limits = bounds === undefined ? "" : `${describeBounds(bounds)}\n`;
  if (!("message" in verdict)) return `${limits}Ready on ${url.origin}\n`;
  return `${limits}Browsers can't be opened: ${verdict.message}\nListening on ${url.origin}\n`;
}

function describeBounds({ memoryBytes, diskBytes, areFilesOnDisk }: BrowserBounds): string {
  const [memory, files] = [memoryBytes, diskBytes].map(toMegabytes);
  if (areFilesOnDisk) return `Each browser may use ${memory} of memory, and ${files} of the disk for files.`;
  return `Each browser may use ${memory} of memory, including up to ${files} of files.`;
}
