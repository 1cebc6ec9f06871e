import { delimiter, join } from "node:path";
import { getgid, getuid } from "node:process";
import { fileURLToPath } from "node:url";
import type { Environment } from "../options.ts";
import type { Profile, RunOptions } from "../session/run-options.ts";
import type { Tool } from "./find-tool.ts";

/** Files exchanged between the suite and Schemathesis, in a temporary directory. */
export const FILES = {
  contract: "contract.json",
  notes: "notes.jsonl",
  /** In the same directory as the notes, because the hooks look for the file there. */
  foreign: "foreign.json",
  events: "events.jsonl",
  summary: "summary.json",
} as const;

const PHASES = "examples,coverage,fuzzing,stateful";
/** Number of examples per operation, and of sequences. The `examples` and `coverage` phases ignore this number. */
const DEPLOY_EXAMPLES = 8;
const FULL_EXAMPLES = 25;
/** Total number of browsers that Schemathesis opens, mostly one after the other. */
const DEPLOY_OPENS = 20;
const FULL_OPENS = 48;
/** Number of valid Queries, each of which may cost the operator money. */
const QUERIES = 3;
/** Maximum number of browsers that sequences keep open at the same time. */
const AT_ONCE = 4;
/** Paths inside the container. */
const INSIDE = { files: "/suite", work: "/work" };
/** Proxy settings. */
const PASSED_ON = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"];

export type Command = { readonly command: readonly string[]; readonly env: Environment };
/** Files and environment of a run. */
export type Place = {
  /** The working directory, which contains `FILES`. */
  readonly folder: string;
  /** Name of the container. */
  readonly name: string;
  readonly env: Environment;
};

/** Builds the command line for a run. The token is passed only in the environment. */
export function toCommand(tool: Tool, options: RunOptions, { folder, name, env }: Place): Command {
  const files = fileURLToPath(new URL(".", import.meta.url));
  const variables = toVariables(options);
  if (tool.kind === "local") {
    const paths = toPaths(files, folder);
    return {
      command: [...tool.command, ...toArguments(options, files, folder)],
      env: {
        ...env,
        ...variables,
        ...paths,
        PYTHONPATH: [paths.PYTHONPATH, env["PYTHONPATH"] ?? []].flat().join(delimiter),
      },
    };
  }
  const inside = { ...toPaths(INSIDE.files, INSIDE.work), HOME: INSIDE.work };
  const named = [...Object.keys(variables), ...PASSED_ON.filter((each) => env[each] !== undefined)];
  return {
    command: [
      ...["docker", "run", "--rm", "--pull", "never", "--network", "host", "--name", name],
      // Run as the same user, so that the suite can read and remove the files.
      ...(getuid === undefined || getgid === undefined ? [] : ["--user", `${getuid()}:${getgid()}`]),
      ...["--volume", `${join(files, "python")}:${INSIDE.files}/python:ro`],
      ...["--volume", `${join(files, "schemathesis.toml")}:${INSIDE.files}/schemathesis.toml:ro`],
      ...["--volume", `${folder}:${INSIDE.work}`, "--workdir", INSIDE.work],
      // Only names: Docker reads the values from the environment.
      ...named.flatMap((each) => ["--env", each]),
      ...Object.entries(inside).flatMap(([each, value]) => ["--env", `${each}=${value}`]),
      ...[tool.image, ...toArguments(options, INSIDE.files, INSIDE.work)],
    ],
    env: { ...env, ...variables },
  };
}

function toArguments({ baseUrl, profile, seed, rate }: RunOptions, files: string, folder: string): string[] {
  return [
    ...["--config-file", join(files, "schemathesis.toml"), "run", join(folder, FILES.contract)],
    ...["--url", baseUrl.replace(/\/$/, ""), "--seed", String(seed), "--no-color"],
    ...["--phases", PHASES, "--max-examples", String(profile === "full" ? FULL_EXAMPLES : DEPLOY_EXAMPLES)],
    ...["--report", "ndjson,json", "--report-ndjson-path", join(folder, FILES.events)],
    ...["--report-json-path", join(folder, FILES.summary)],
    ...(rate === undefined ? [] : ["--rate-limit", toRateLimit(rate)]),
  ];
}

/** Creates settings for the hooks, which enforce the rate because the tool's own limit ignores their requests. */
function toVariables({ baseUrl, token, labelPrefix, profile, rules, rate, parallel }: RunOptions): Environment {
  return {
    RBS_FUZZ_URL: baseUrl,
    RBS_FUZZ_TOKEN: token,
    RBS_FUZZ_LABEL: `${labelPrefix}-fuzz`,
    RBS_FUZZ_OPENS: String(fuzzOpens(profile)),
    RBS_FUZZ_AT_ONCE: String(Math.min(AT_ONCE, parallel)),
    RBS_FUZZ_QUERIES: String(rules.some((id) => id.startsWith("RBS-AI-")) ? QUERIES : 0),
    RBS_FUZZ_PAUSE: String(rate === undefined ? 0 : 1 / rate),
  };
}

function toPaths(files: string, folder: string): { readonly PYTHONPATH: string; readonly [name: string]: string } {
  return {
    RBS_FUZZ_NOTES: join(folder, FILES.notes),
    PYTHONPATH: join(files, "python"),
    PYTHONDONTWRITEBYTECODE: "1",
  };
}

/** @param rate Requests per second. */
export function toRateLimit(rate: number): string {
  return rate >= 1 ? `${Math.floor(rate)}/s` : `${Math.max(1, Math.floor(rate * 60))}/m`;
}

export function fuzzOpens(profile: Profile): number {
  return profile === "full" ? FULL_OPENS : DEPLOY_OPENS;
}
