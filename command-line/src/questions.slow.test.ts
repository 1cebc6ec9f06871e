import { execFileSync, spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

type Manifest = { readonly version: string; readonly scripts?: Readonly<Record<string, string>> };

/** The npm arguments for every script in the workspace that starts one of our programs. */
const COMMANDS = [".", "openapi", "conformance", "clients/tunnel", "clients/typescript", "server"].flatMap((folder) =>
  Object.entries(read(folder).scripts ?? {})
    .filter(([, script]) => !/\b(vitest|oxfmt)\b/.test(script))
    .map(([name]) => ["run", "--silent", name, ...(folder === "." ? [] : ["--workspace", folder])]),
);

/** What commands build. */
const BUILT = "{server,dist,clients/*,conformance}/{dist,*.deb,--help,--version}";

function read(folder: string): Manifest {
  return JSON.parse(readFileSync(`${folder}/package.json`, "utf8")) as Manifest;
}

/** Returns the working tree's Git status and diff. */
function readTree(): string {
  return (
    execFileSync("git", ["status", "--porcelain"], { encoding: "utf8" }) + execFileSync("git", ["diff"]).toString()
  );
}

function ask(args: readonly string[], question: string): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync("npm", [...args, "--", question], { encoding: "utf8" });
  return { status, stdout, stderr };
}

test.each(COMMANDS.map((args) => ({ args })))(
  "npm $args prints help and version, and does nothing else",
  ({ args }) => {
    const before = readTree();
    const built = globSync(BUILT);
    const help = expect.stringMatching(/^(npm (run|test|start)|remote-browser-tunnel|Runs a cluster) /);
    expect(ask(args, "--help")).toEqual({ status: 0, stdout: help, stderr: "" });
    expect(ask(args, "--version")).toEqual({ status: 0, stdout: `${read(".").version}\n`, stderr: "" });
    expect(readTree()).toBe(before);
    expect(globSync(BUILT)).toEqual(built);
  },
);
