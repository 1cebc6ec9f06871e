import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism, loadavg, release, totalmem } from "node:os";
import { promisify } from "node:util";
import { findExecutables } from "../../../server/test/interface.ts";

/** Describes the machine that runs the benchmarks, without identifying it. */
export async function describeMachine(): Promise<string> {
  const [, processor = "an unknown processor"] =
    /^model name\s*: (.+)$/m.exec(readFileSync("/proc/cpuinfo", "utf8")) ?? [];
  const [, system = "Linux"] = /^PRETTY_NAME="?([^"\n]+)/m.exec(readFileSync("/etc/os-release", "utf8")) ?? [];
  const [kernel] = /^\d+\.\d+/.exec(release()) ?? ["?"];
  const [load = 0] = loadavg();
  return (
    `${availableParallelism()} cores of ${processor.trim()}, ${Math.round(totalmem() / 1e9)} GB of memory, ` +
    `${system}, Linux ${kernel}, Node ${process.versions.node}, ${await chromiumVersion()}; ` +
    `load average before the start ${load.toFixed(1)}`
  );
}

async function chromiumVersion(): Promise<string> {
  const path = findExecutables().get("chromium")?.path;
  if (path === undefined) return "no Chromium";
  const { stdout } = await promisify(execFile)(path, ["--version"], { env: {} });
  const [version] = /\d+(?:\.\d+){3}/.exec(stdout) ?? ["of unknown version"];
  return `Chromium ${version}`;
}
