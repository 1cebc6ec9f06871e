import type { Service } from "../app/app.ts";
import type { Verdict } from "../services/browsers/readiness.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The operator's account, which a first start has made, and how a first browser is opened with it.
 * @param options.environment What the server was started with.
 * @param options.publicUrl `RBS_PUBLIC_URL`: people sign in there.
 * @param options.isFake Fake browsers speak too little DevTools for a first program.
 * @param options.hasProgram Whether that program is below the working folder.
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
  const dashboard = toDashboard(options.publicUrl ?? url);
  return [
    `Account:  ${email}`,
    `Password: ${password}   (for the dashboard: ${dashboard})`,
    `Token:    ${token}   (for programs)`,
    `Both are shown this once. New ones: ${toBooks(options.environment)}npm run -s account -- password (or token) --email ${email}`,
    "",
    ...toFirstBrowser({ ...options, url, token, dashboard }),
    "",
    "",
  ].join("\n");
}

/** The command line finds the same accounts and plans only by the same settings. */
function toBooks(environment: Environment): string {
  return ["RBS_DATA_DIR", "RBS_PLANS"]
    .map((name) => [name, environment[name] ?? ""] as const)
    .map(([name, value]) => (value === "" ? "" : `${name}=${quote(value)} `))
    .join("");
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
    return ["Its browsers are fake: they are opened, listed and closed, and no automation library can drive them."];
  if (!hasProgram) return [`To open a first browser, sign in and follow ${dashboard}/quick-start`];
  return [
    "Open a browser and look at a page with it, from this folder:",
    "",
    `  RBS_URL=${url.origin} RBS_TOKEN=${token} npx node docs/first-browser.ts`,
  ];
}

/** Whether the server is ready, and where. */
export function announce({ url }: Service, verdict: Verdict): string {
  if (verdict.isReady) return `Ready on ${url.origin}\n`;
  return `No browser can be opened: ${verdict.message}\nListening on ${url.origin}\n`;
}

function toDashboard(base: URL): string {
  return `${base.href.replace(/\/+$/, "")}/dashboard`;
}
