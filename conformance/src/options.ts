import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { UsageError, readCommandLine } from "../../command-line/src/command-line.ts";
import manifest from "../package.json" with { type: "json" };
import { ConfigError } from "./config-error.ts";
import { CONTRACT_VERSIONS, type ContractVersion } from "./contract/versions.ts";
import { matchesId } from "./rules/rule.ts";
import {
  CAPABILITIES,
  type Capability,
  SPECIAL_ACCOUNTS,
  type SpecialAccount,
  toVariable,
} from "./contract/vocabulary.ts";
import { RULES } from "./registry/registry.ts";
import type { ReportPaths } from "./reports/report.ts";
import { PROFILES, type Profile, type RunOptions } from "./session/run-options.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export type FuzzerChoice = {
  readonly how: "auto" | "docker" | "local" | "off";
  /** Docker image with Schemathesis. If undefined, the pinned image is used. */
  readonly image: string | undefined;
  /** Python interpreter with Schemathesis. If undefined, the suite searches for an interpreter. */
  readonly python: string | undefined;
  /** Environment variables for the programs that run Schemathesis. */
  readonly env: Environment;
};

/** The parsed command line. */
export type Options = {
  readonly run: Omit<RunOptions, "rules" | "contract">;
  /** The contract version to check. Undefined means the deployment's version. */
  readonly contract: ContractVersion | undefined;
  /** Rule ids or id prefixes. If empty, all rules run. */
  readonly rules: readonly string[];
  /** Empty means all. */
  readonly capabilities: readonly Capability[];
  readonly maxOpens: number | undefined;
  readonly isDryRun: boolean;
  /** Whether the run is a success if all rules that ran passed, even if others could not run. */
  readonly isPartial: boolean;
  readonly isVerbose: boolean;
  readonly fuzzer: FuzzerChoice;
  readonly reports: ReportPaths;
  /** JSON report of an earlier run to compare this run with. */
  readonly compare: string | undefined;
  readonly expectedFailures: string | undefined;
};

/** Default limits for concurrently open browsers and for requests per second. */
const PACE: Readonly<Record<Profile, { readonly parallel: number; readonly rate: number | undefined }>> = {
  smoke: { parallel: 8, rate: undefined },
  deploy: { parallel: 3, rate: 10 },
  full: { parallel: 8, rate: undefined },
};

/** Number of browsers of rules that mostly wait. Waiting needs no processor time, so other rules run beside them. */
const WAITING = 10;

const FUZZERS = ["auto", "docker", "local", "off"] as const;

/** How users run the suite: from this repository, or from the package, which is compiled. */
const COMMAND = import.meta.url.endsWith(".ts") ? "npm run conformance --" : "npx remote-browser-conformance";

const USAGE = `${COMMAND} --base-url URL --token TOKEN [options]

Tests a deployment of the Remote Browser Service against its contract. See docs/conformance.md.

  --base-url URL            URL of the deployment, without the contract's paths (or RBS_URL)
  --token TOKEN             token of an account that may open browsers (or RBS_TOKEN, or - for standard input, which process
                            lists don't show)
${SPECIAL_ACCOUNTS.map((name) => `  --token-${name.padEnd(17)} token of an account in that state (or RBS_${toVariable(name)})`).join("\n")}
  --units-left N            units left on the account of --token-few-units
  --site URL                serve a small site, which the deployment's browsers can reach at this URL, to test what
                            sites see; on the same machine, http://127.0.0.1:0

  --profile NAME            smoke: rules that don't wait · deploy (default): limited, for deployments in use · full: everything
  --contract VERSION        check this version of the contract: ${CONTRACT_VERSIONS.join(" or ")} (default: the one that the
                            deployment implements)
  --rule ID                 test only this rule, or all rules with this prefix (RBS-OPEN); can be repeated
  --capability NAME         test only ${CAPABILITIES.join(", ")}; can be repeated
  --partial                 exit with 0 if all rules that ran passed, even if --rule or a missing token excluded others
  --max-opens N             open up to N browsers in total
  --parallel N              keep up to N browsers open at once, plus 3 that rules share (smoke 8, deploy 3, full 8
                            plus 10 that mostly wait)
  --rate N                  send up to N requests per second (deploy 10)
  --seed N                  seed of the random sequences (1)
  --dry-run                 show what would run, and send no request
  --verbose                 list the ids of skipped rules

  --schemathesis HOW        auto (default), docker, local or off
  --schemathesis-image NAME Docker image with Schemathesis
  --python PATH             Python with Schemathesis

  --html FILE  --junit FILE  --json FILE  --badge FILE
  --compare FILE            show what changed since this JSON report
  --expected-failures FILE  {"RBS-OPEN-01": "why it fails"}

Exit codes: 0 conformant in what was selected, 1 failures, 2 inconclusive, 3 incomplete: something that rules need was
missing, or only the rules of --rule ran
`;

/**
 * Parses the command line. Some options default to environment variables.
 * @param readInput Reads all of standard input, which can supply tokens because other users can see the command line.
 * @returns The options, or the text that the user requested.
 * @throws {ConfigError} The error lists all mistakes.
 */
export function readOptions(
  args: readonly string[],
  env: Environment,
  readInput: () => string = () => readFileSync(0, "utf8"),
): string | Options {
  const values = parse(args);
  if (typeof values === "string") return values;
  const mistakes: string[] = [];
  const isDryRun = values["dry-run"] === true;
  const baseUrl = readUrl(values["base-url"] ?? env["RBS_URL"], isDryRun, mistakes);
  const ownToken = values.token === "-" ? readInput().trim() : values.token;
  const token = readMainToken(ownToken ?? env["RBS_TOKEN"], isDryRun, mistakes);
  const profile = readOne("--profile", values.profile ?? "deploy", PROFILES, mistakes) ?? "deploy";
  const number = (name: "seed" | "max-opens" | "parallel" | "rate" | "units-left", least: number): number | undefined =>
    readNumber(`--${name}`, values[name], least, mistakes);
  const contract =
    values.contract === undefined ? undefined : readOne("--contract", values.contract, CONTRACT_VERSIONS, mistakes);
  const capabilities = (values.capability ?? []).flatMap((name) => {
    const capability = readOne("--capability", name, CAPABILITIES, mistakes);
    return capability === undefined ? [] : [capability];
  });
  const rules = values.rule ?? [];
  for (const wanted of rules) {
    if (!RULES.some(({ id }) => matchesId(id, wanted)))
      mistakes.push(`--rule ${wanted}: no rule has this id or prefix.`);
  }
  const tokens = Object.fromEntries(
    SPECIAL_ACCOUNTS.flatMap((name) => {
      const given = values[`token-${name}`] ?? env[`RBS_${toVariable(name)}`];
      return given === undefined || given === ""
        ? []
        : [[name, readToken(`--token-${name}`, given, mistakes)] as const];
    }),
  ) as Partial<Record<SpecialAccount, string>>;
  expectDifferent([["--token", token], ...Object.entries(tokens).map(toOption)], mistakes);
  const how = readOne("--schemathesis", values.schemathesis ?? "auto", FUZZERS, mistakes) ?? "auto";
  const run = {
    ...{ baseUrl, token, tokens, profile },
    unitsLeft: number("units-left", 0),
    site: readSite(values.site, mistakes),
    labelPrefix: `conformance-${randomBytes(4).toString("hex")}`,
    seed: number("seed", 0) ?? 1,
    rate: number("rate", 1) ?? PACE[profile].rate,
    parallel: number("parallel", 1) ?? PACE[profile].parallel,
    waiting: profile === "full" && values.parallel === undefined ? WAITING : 0,
  };
  const maxOpens = number("max-opens", 0);
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  const { html, junit, json, badge, compare } = values;
  return {
    ...{ run, contract, rules, capabilities, maxOpens, isDryRun, compare },
    isPartial: values.partial === true,
    isVerbose: values.verbose === true,
    fuzzer: { how, image: values["schemathesis-image"], python: values.python, env },
    reports: { html, junit, json, badge },
    expectedFailures: values["expected-failures"],
  };
}

function parse(args: readonly string[]) {
  const text = { type: "string" } as const;
  const list = { type: "string", multiple: true } as const;
  const flag = { type: "boolean" } as const;
  const tokens = Object.fromEntries(SPECIAL_ACCOUNTS.map((name) => [`token-${name}`, text] as const)) as Record<
    `token-${SpecialAccount}`,
    typeof text
  >;
  try {
    const options = {
      ...{ "base-url": text, token: text, ...tokens, "units-left": text, site: text },
      ...{ profile: text, contract: text, rule: list, capability: list },
      ...{ seed: text, rate: text, parallel: text, "max-opens": text },
      ...{ schemathesis: text, "schemathesis-image": text, python: text },
      ...{ html: text, junit: text, json: text, badge: text, compare: text, "expected-failures": text },
      ...{ "dry-run": flag, partial: flag, verbose: flag },
    };
    const read = readCommandLine({ usage: USAGE, version: manifest.version, options }, args);
    return typeof read === "string" ? read : read.values;
  } catch (cause) {
    if (cause instanceof UsageError) throw new ConfigError([cause.message]);
    throw cause;
  }
}

/** The site uses plain HTTP, so it needs no certificate. */
function readSite(given: string | undefined, mistakes: string[]): string | undefined {
  if (given === undefined) return undefined;
  const url = URL.parse(given);
  if (url?.protocol === "http:" && url.href === `${url.origin}/`) return url.origin;
  mistakes.push(`--site ${given} is not an http:// URL without a path, such as http://192.0.2.7:9000.`);
  return undefined;
}

function readUrl(given: string | undefined, mayMiss: boolean, mistakes: string[]): string {
  if (given === undefined || given === "") {
    if (!mayMiss)
      mistakes.push("--base-url is missing: give the URL of the deployment, for example http://127.0.0.1:8080.");
    return "";
  }
  const url = URL.parse(given);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    mistakes.push(`--base-url ${given} is not an http:// or https:// URL.`);
    return "";
  }
  if (url.username !== "" || url.password !== "") {
    mistakes.push("--base-url can't contain credentials: give the token as --token or RBS_TOKEN.");
  }
  if (/\/api\/v\d+\/?$/i.test(url.pathname)) {
    mistakes.push(
      `--base-url ${given} ends with the contract's own path: omit ${/\/api\/v\d+\/?$/i.exec(url.pathname)?.[0]}.`,
    );
  }
  if (url.search !== "" || url.hash !== "") mistakes.push(`--base-url ${given} can't have a query or a fragment.`);
  return url.href.replace(/\/$/, "");
}

function readMainToken(given: string | undefined, mayMiss: boolean, mistakes: string[]): string {
  if (given !== undefined && given !== "") return readToken("--token", given, mistakes);
  if (!mayMiss) mistakes.push("--token is missing: give the token of an account that may open browsers.");
  return "";
}

function readToken(option: string, given: string, mistakes: string[]): string {
  if (/^[\x21-\x7E]+$/.test(given)) return given;
  mistakes.push(`${option} contains characters that are not allowed in an HTTP header.`);
  return "";
}

/** Reports tokens that are used for more than one account. */
function expectDifferent(tokens: readonly (readonly [option: string, token: string])[], mistakes: string[]): void {
  for (const [at, [option, token]] of tokens.entries()) {
    const [same] = tokens.slice(0, at).find(([, other]) => other === token && token !== "") ?? [];
    if (same !== undefined)
      mistakes.push(`${option} gives the same token as ${same}: use the token of a different account.`);
  }
}

function readNumber(name: string, given: string | undefined, least: number, mistakes: string[]): number | undefined {
  if (given === undefined) return undefined;
  const value = Number(given);
  if (/^\d+$/.test(given) && Number.isSafeInteger(value) && value >= least) return value;
  mistakes.push(`${name} ${given} is not a whole number greater than or equal to ${least}.`);
  return undefined;
}

function readOne<T extends string>(
  name: string,
  given: string,
  known: readonly T[],
  mistakes: string[],
): T | undefined {
  const found = known.find((each) => each === given);
  if (found === undefined) mistakes.push(`${name} ${given} is unknown: choose one of ${known.join(", ")}.`);
  return found;
}

function toOption([account, token]: [string, string]): readonly [string, string] {
  return [`--token-${account}`, token];
}
