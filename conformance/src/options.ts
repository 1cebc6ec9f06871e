import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import { ConfigError } from "./config-error.ts";
import { CAPABILITIES, type Capability, matchesId, SPECIAL_ACCOUNTS, type SpecialAccount } from "./registry/rule.ts";
import { RULES } from "./registry/registry.ts";
import { PROFILES, type Profile, type RunOptions } from "./run/run-options.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export type FuzzerChoice = {
  readonly how: "auto" | "docker" | "local" | "off";
  /** Docker image of Schemathesis instead of the pinned one. */
  readonly image: string | undefined;
  /** Python that has Schemathesis, instead of the one that is found. */
  readonly python: string | undefined;
  /** What the programs that are started for it inherit. */
  readonly env: Environment;
};

export type ReportFiles = {
  readonly html: string | undefined;
  readonly junit: string | undefined;
  readonly json: string | undefined;
  readonly badge: string | undefined;
};

/** What the command line asks for. */
export type Options = {
  readonly run: Omit<RunOptions, "rules">;
  /** Ids, or beginnings of ids; empty for all. */
  readonly rules: readonly string[];
  /** Empty for all. */
  readonly capabilities: readonly Capability[];
  readonly maxOpens: number | undefined;
  readonly isDryRun: boolean;
  readonly isStrict: boolean;
  readonly fuzzer: FuzzerChoice;
  readonly reports: ReportFiles;
  /** A report of an earlier run to compare with. */
  readonly compare: string | undefined;
  readonly expectedFailures: string | undefined;
};

/** Browsers open at once, and requests a second, unless the command line says otherwise. */
const PACE: Readonly<Record<Profile, { readonly parallel: number; readonly rate: number | undefined }>> = {
  smoke: { parallel: 8, rate: undefined },
  deploy: { parallel: 3, rate: 10 },
  full: { parallel: 8, rate: undefined },
};

const FUZZERS = ["auto", "docker", "local", "off"] as const;

export const HELP = `Usage: npm run conformance -- --base-url URL --token TOKEN [options]

Holds a deployment of the Remote Browser Service against its contract. docs/conformance.md tells more.

  --base-url URL            what the contract's paths come after (or RBS_URL)
  --token TOKEN             of an account that may open browsers (or RBS_TOKEN, which does not show in a list of processes)
${SPECIAL_ACCOUNTS.map((name) => `  --token-${name.padEnd(17)} of an account in that state (or ${toVariable(name)})`).join("\n")}
  --units-left N            units that the account of --token-few-units has left

  --profile NAME            smoke: without what waits · deploy (default): bounded, for deployments in use · full: everything
  --rule ID                 only this rule, or those that begin so (RBS-OPEN); may be repeated
  --capability NAME         only these: ${CAPABILITIES.join(", ")}; may be repeated
  --max-opens N             open no more browsers than these in all
  --parallel N              open no more than these at once, and 3 that rules share (smoke 8, deploy 3, full 8)
  --rate N                  send no more requests a second (deploy 10)
  --seed N                  where random sequences begin (1)
  --dry-run                 tell what would run, and send nothing

  --schemathesis HOW        auto (default), docker, local or off
  --schemathesis-image NAME Docker image with Schemathesis
  --python PATH             Python that has Schemathesis

  --html FILE  --junit FILE  --json FILE  --badge FILE
  --compare FILE            tell what changed since this JSON report
  --expected-failures FILE  {"RBS-OPEN-01": "why it fails"}
  --strict                  exit 3 where something is not proven

Exit: 0 no failure, 1 failures, 2 inconclusive, 3 not proven (with --strict)
`;

/**
 * Reads the command line, and the environment for what it leaves out.
 * @returns Undefined when only help is wanted.
 * @throws {ConfigError} With every mistake at once.
 */
export function readOptions(args: readonly string[], env: Environment): Options | undefined {
  const values = parse(args);
  if (values.help === true) return undefined;
  const mistakes: string[] = [];
  const isDryRun = values["dry-run"] === true;
  const baseUrl = readUrl(values["base-url"] ?? env["RBS_URL"], isDryRun, mistakes);
  const token = readMainToken(values.token ?? env["RBS_TOKEN"], isDryRun, mistakes);
  const profile = readOne("--profile", values.profile ?? "deploy", PROFILES, mistakes) ?? "deploy";
  const number = (name: "seed" | "max-opens" | "parallel" | "rate" | "units-left", least: number): number | undefined =>
    readNumber(`--${name}`, values[name], least, mistakes);
  const capabilities = (values.capability ?? []).flatMap((name) => {
    const capability = readOne("--capability", name, CAPABILITIES, mistakes);
    return capability === undefined ? [] : [capability];
  });
  const rules = values.rule ?? [];
  for (const wanted of rules) {
    if (!RULES.some(({ id }) => matchesId(id, wanted)))
      mistakes.push(`--rule ${wanted}: no rule is called so, or begins so.`);
  }
  const tokens = Object.fromEntries(
    SPECIAL_ACCOUNTS.flatMap((name) => {
      const given = values[`token-${name}`] ?? env[toVariable(name)];
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
    labelPrefix: `conformance-${randomBytes(4).toString("hex")}`,
    seed: number("seed", 0) ?? 1,
    rate: number("rate", 1) ?? PACE[profile].rate,
    parallel: number("parallel", 1) ?? PACE[profile].parallel,
  };
  const maxOpens = number("max-opens", 0);
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  const { html, junit, json, badge, compare } = values;
  return {
    ...{ run, rules, capabilities, maxOpens, isDryRun, compare },
    isStrict: values.strict === true,
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
    const { values } = parseArgs({
      args: [...args],
      options: {
        ...{ "base-url": text, token: text, ...tokens, "units-left": text },
        ...{ profile: text, rule: list, capability: list, seed: text, rate: text, parallel: text, "max-opens": text },
        ...{ schemathesis: text, "schemathesis-image": text, python: text },
        ...{ html: text, junit: text, json: text, badge: text, compare: text, "expected-failures": text },
        ...{ "dry-run": flag, strict: flag, help: flag },
      },
    });
    return values;
  } catch (cause) {
    throw new ConfigError([cause instanceof Error ? cause.message : String(cause)]);
  }
}

function readUrl(given: string | undefined, mayMiss: boolean, mistakes: string[]): string {
  if (given === undefined || given === "") {
    if (!mayMiss)
      mistakes.push("--base-url is missing: say where the deployment is, for example http://127.0.0.1:8080.");
    return "";
  }
  const url = URL.parse(given);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    mistakes.push(`--base-url ${given} is no http:// or https:// URL.`);
    return "";
  }
  if (url.username !== "" || url.password !== "") {
    mistakes.push("--base-url may not have credentials in it: the token goes into --token or RBS_TOKEN.");
  }
  if (url.search !== "" || url.hash !== "") mistakes.push(`--base-url ${given} may not have a query or a fragment.`);
  return url.href.replace(/\/$/, "");
}

function readMainToken(given: string | undefined, mayMiss: boolean, mistakes: string[]): string {
  if (given !== undefined && given !== "") return readToken("--token", given, mistakes);
  if (!mayMiss) mistakes.push("--token is missing: give the token of an account that may open browsers.");
  return "";
}

function readToken(option: string, given: string, mistakes: string[]): string {
  if (/^[\x21-\x7E]+$/.test(given)) return given;
  mistakes.push(`${option} has characters that an HTTP header can't carry.`);
  return "";
}

/** One account can't be in two states. @param tokens Each with the option that gives it. */
function expectDifferent(tokens: readonly (readonly [option: string, token: string])[], mistakes: string[]): void {
  for (const [at, [option, token]] of tokens.entries()) {
    const [same] = tokens.slice(0, at).find(([, other]) => other === token && token !== "") ?? [];
    if (same !== undefined) mistakes.push(`${option} gives the same token as ${same}: each is of another account.`);
  }
}

function readNumber(name: string, given: string | undefined, least: number, mistakes: string[]): number | undefined {
  if (given === undefined) return undefined;
  const value = Number(given);
  if (/^\d+$/.test(given) && Number.isSafeInteger(value) && value >= least) return value;
  mistakes.push(`${name} ${given} is no whole number of at least ${least}.`);
  return undefined;
}

function readOne<T extends string>(
  name: string,
  given: string,
  known: readonly T[],
  mistakes: string[],
): T | undefined {
  const found = known.find((each) => each === given);
  if (found === undefined) mistakes.push(`${name} ${given} is none of ${known.join(", ")}.`);
  return found;
}

function toOption([account, token]: [string, string]): readonly [string, string] {
  return [`--token-${account}`, token];
}

/** `no-units` → `RBS_TOKEN_NO_UNITS` */
function toVariable(account: string): string {
  return `RBS_TOKEN_${account.toUpperCase().replaceAll("-", "_")}`;
}
