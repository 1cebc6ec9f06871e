import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import type * as Library from "../src/index.ts";
import { startCommand } from "./command.ts";
import { openFakeService } from "./fake-service.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

test("the package runs from node_modules, as a command and as a library", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tunnel-pack-"));
  try {
    const [built, installed] = [join(folder, "built"), join(folder, "node_modules/@remote-browser/tunnel")];
    execFileSync(process.execPath, [join(ROOT, "scripts/packaging/npm.ts"), "clients/tunnel", built]);
    const npm = ["pack", built, "--pack-destination", folder, "--silent"];
    const packed = execFileSync("npm", npm, { encoding: "utf8" }).trim();
    mkdirSync(installed, { recursive: true });
    execFileSync("tar", ["-xzf", join(folder, packed), "-C", installed, "--strip-components=1"]);
    symlinkSync(join(ROOT, "node_modules/ws"), join(folder, "node_modules/ws"));
    expect(readdirSync(installed)).toEqual(expect.arrayContaining(["LICENSE", "index.js", "main.js", "package.json"]));

    await using service = await openFakeService();
    await using command = startCommand([service.address, "--port", "0"], {}, join(installed, "main.js"));
    expect(await fetch(`http://127.0.0.1:${await command.port}/json/version`)).toMatchObject({ status: 200 });
    const { openTunnel } = (await import(pathToFileURL(join(installed, "index.js")).href)) as typeof Library;
    await using tunnel = await openTunnel({ address: service.address, port: 0 });
    expect(tunnel.version).toBe("Chrome/156.0.8078.79");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
