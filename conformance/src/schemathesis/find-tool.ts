import { fileURLToPath } from "node:url";
import type { FuzzerChoice } from "../options.ts";
import { type Running, run } from "./run-command.ts";

/** The version that the hooks and settings are written for. */
const VERSION = "4.32.5";
const IMAGE = `schemathesis/schemathesis:${VERSION}`;

const ASK_MS = 30_000;
const PULL_MS = 300_000;

/** This repository's Python environment. */
const OWN_PYTHON = fileURLToPath(new URL("../../../.venv/bin/python", import.meta.url));
const ASK_VERSION = "import importlib.metadata as m; print(m.version('schemathesis'))";

export type Tool =
  | { readonly kind: "docker"; readonly image: string }
  /** Command to which options are appended. */
  | { readonly kind: "local"; readonly command: readonly [string, ...string[]] };

type Found = { readonly tool: Tool } | { readonly why: string };

/**
 * Finds Schemathesis, first in Docker, pulling the image if necessary, then in a Python environment.
 * @param interruption Aborting it stops the search.
 */
export async function findTool(
  { how, image = IMAGE, python, env }: FuzzerChoice,
  interruption?: AbortSignal,
): Promise<Found> {
  const asking = { timeoutMs: ASK_MS, env, interruption };
  const byDocker = how === "local" ? undefined : await findDocker(image, asking);
  if (byDocker !== undefined && "tool" in byDocker) return byDocker;
  const byPython = how === "docker" ? undefined : await findLocal(python, asking);
  if (byPython !== undefined && "tool" in byPython) return byPython;
  return { why: [byDocker?.why, byPython?.why].filter((why) => why !== undefined).join(" ") };
}

async function findDocker(image: string, asking: Running): Promise<Found> {
  const engine = await run(["docker", "version", "--format", "{{.Server.Version}}"], asking);
  if (engine.code !== 0) return { why: "Docker is not running: start it." };
  const inspected = await run(["docker", "image", "inspect", image], asking);
  if (inspected.code === 0) return { tool: { kind: "docker", image } };
  const pulled = await run(["docker", "pull", "--quiet", image], { ...asking, timeoutMs: PULL_MS });
  if (pulled.code === 0) return { tool: { kind: "docker", image } };
  const said = pulled.stderr.trim().split("\n").at(-1) ?? "";
  return {
    why: `The image ${image} is not available (${said}): load it, or name another one with --schemathesis-image.`,
  };
}

async function findLocal(python: string | undefined, asking: Running): Promise<Found> {
  const candidates = python === undefined ? [OWN_PYTHON, "schemathesis", "python3"] : [python];
  const seen: string[] = [];
  for (const candidate of candidates) {
    const isPython = candidate !== "schemathesis";
    // Reading the metadata is faster than importing the package.
    const question = isPython ? ["-c", ASK_VERSION] : ["--version"];
    const { code, stdout } = await run([candidate, ...question], asking);
    const [, version] = /(\d+\.\d+\.\d+)/.exec(stdout) ?? [];
    if (code !== 0 || version === undefined) continue;
    if (version.startsWith("4.")) {
      return { tool: { kind: "local", command: isPython ? [candidate, "-m", "schemathesis.cli"] : [candidate] } };
    }
    seen.push(`${candidate} has ${version}`);
  }
  const where =
    python === undefined ? "No Python environment has Schemathesis" : `${python} does not have Schemathesis`;
  const instead = seen.length > 0 ? ` 4 (${seen.join(", ")})` : "";
  return {
    why: `${where}${instead}: install schemathesis==${VERSION} with pip, and give the path of that Python as --python.`,
  };
}
