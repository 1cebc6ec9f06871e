import { ACCOUNT_COMMAND, IS_INSTALLED } from "./installed.ts";
import type { Service } from "../app/app.ts";
import { type BrowserBounds, toMegabytes } from "../domain/machine/bounds.ts";
import type { Verdict } from "../services/health/readiness.ts";

type Environment = Readonly<Record<string, string | undefined>>;

type WelcomeOptions = {
  readonly environment: Environment;
  /** `RBS_PUBLIC_URL`, at which users sign in. */
  readonly publicUrl: URL | undefined;
  /** Whether browsers are fake. Fake browsers support too few DevTools commands for the first program. */
  readonly isFake: boolean;
  /** Whether the working folder contains `docs/first-browser.ts`. */
  readonly hasProgram: boolean;
};

/**
 * Shows the operator account that the first start created, and how to open a browser with it.
 * @returns The text; an empty string on later starts.
 */
export function introduce(
  { url, firstAccount }: Pick<Service, "url" | "firstAccount">,
  options: WelcomeOptions,
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
    ...toFirstBrowser(options, dashboard, `RBS_URL=${url.origin} RBS_TOKEN=${token}`),
    "",
    "",
  ].join("\n");
}

/**
 * Returns the text that precedes the command: the settings that make the command use the same accounts and plans. The
 * installed command finds these settings itself. Omits the database URL, because it can contain a password.
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

/** Quotes a word for POSIX shells. */
function quote(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function toFirstBrowser({ isFake, hasProgram }: WelcomeOptions, dashboard: string, settings: string): string[] {
  if (isFake)
    return ["Browsers are fake: you can open, list and close them, but automation libraries can't drive them."];
  if (!hasProgram) return [`To open your first browser, sign in and follow ${dashboard}/quick-start`];
  return [
    "To open your first browser, run this in the current folder:",
    "",
    `  ${settings} npx node docs/first-browser.ts`,
  ];
}

/** Describes a browser's limits, whether the server can open browsers, and where it listens. */
export function announce({ url, bounds }: Pick<Service, "url" | "bounds">, verdict: Verdict): string {
  const limits = bounds === undefined ? "" : `${describeBounds(bounds)}\n`;
  if (!("message" in verdict)) return `${limits}Ready on ${url.origin}\n`;
  return `${limits}Browsers can't be opened: ${verdict.message}\nListening on ${url.origin}\n`;
}

function describeBounds({ memoryBytes, diskBytes, areFilesOnDisk }: BrowserBounds): string {
  const [memory, files] = [memoryBytes, diskBytes].map(toMegabytes);
  if (areFilesOnDisk) return `Each browser may use ${memory} of memory, and ${files} of disk space for files.`;
  return `Each browser may use ${memory} of memory, including up to ${files} of files.`;
}
