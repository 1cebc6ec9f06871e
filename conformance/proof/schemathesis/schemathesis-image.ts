import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { env } from "node:process";
import { pipeline } from "node:stream/promises";
import type { Engine } from "../../../server/test/support/machine/docker-engine.ts";

const IMPORT_MS = 120_000;

/** Builds an image from this machine's Python and Schemathesis. @param python A Python with Schemathesis installed. */
export async function importImage({ host }: Engine, python: string, name: string): Promise<void> {
  const writer = spawn(python, [join(import.meta.dirname, "schemathesis-image.py")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const entry = 'ENTRYPOINT ["/python/bin/python", "-m", "schemathesis.cli"]';
  const importer = spawn(
    "docker",
    ["import", "--change", entry, "--change", "ENV LD_LIBRARY_PATH=/python/lib", "-", name],
    { env: { ...env, DOCKER_HOST: host }, stdio: ["pipe", "ignore", "inherit"], timeout: IMPORT_MS },
  );
  const [[code]] = await Promise.all([once(importer, "exit"), pipeline(writer.stdout, importer.stdin)]);
  if (code !== 0) throw new Error(`Can't import the image: docker exited with ${code}.`);
}
