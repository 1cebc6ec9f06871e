import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const LOCK = join(import.meta.dirname, "Cargo.lock");
/** Shared by all checks, so that dependencies are compiled once. */
const COMPILED = join(import.meta.dirname, "../../../node_modules/.cache/rust");

/**
 * Runs `cargo check` on a crate, with the dependencies that Cargo.lock pins.
 * @param files The crate's files, by path.
 * @returns The compiler's errors; empty if there are none.
 */
export function cargoCheck(files: ReadonlyMap<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), "crate-"));
  try {
    for (const [path, text] of [...files, ["Cargo.lock", readFileSync(LOCK, "utf8")] as const]) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    // Without default features there is no TLS, which would need a system library.
    const args = ["check", "--quiet", "--locked", "--no-default-features", "--target-dir", COMPILED];
    const { status, stderr, error } = spawnSync("cargo", args, { cwd: folder, encoding: "utf8" });
    if (error !== undefined) throw error;
    return status === 0 ? "" : stderr.replaceAll(folder, "");
  } finally {
    rmSync(folder, { recursive: true });
  }
}
