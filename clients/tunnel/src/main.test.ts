import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { CERTIFICATE } from "../test/certificate.fixtures.ts";
import { type Command, startCommand as start } from "../test/command.ts";
import { openFakeService } from "../test/fake-service.ts";
import { expectSoon } from "../test/expect-soon.ts";

/** A cache of compiled modules, which halves the time that the command needs to start. */
const COMPILED = fileURLToPath(new URL("../../../node_modules/.cache/compiled", import.meta.url));

function startCommand(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Command {
  return start(args, { NODE_COMPILE_CACHE: COMPILED, ...environment });
}

async function isServed(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/json/version`);
  return answer.ok;
}

test.each(["SIGINT", "SIGTERM"] as const)(
  "after one or more %s signals, the tunnel exits with 0 and the browser stays open",
  async (signal) => {
    await using service = await openFakeService();
    await using command = startCommand([service.address, "--port", "0"]);
    expect(await isServed(await command.port)).toBe(true);
    expect(command.output.stdout).toMatch(/Chrome\/156\.0\.8078\.79.*every user of\sthis machine.*Ctrl-C/s);
    command.child.kill(signal);
    command.child.kill(signal);
    expect(await command.ended).toBe(0);
    expect(command.output.stderr).toBe("");
    await expectSoon(() => service.connections.size, 0);
  },
);

test("if the browser closes, the tunnel exits with code 3 and prints the reason", async () => {
  await using service = await openFakeService();
  await using command = startCommand([service.address, "--port=0"]);
  await command.port;
  service.end("browser closed: requested");
  expect(await command.ended).toBe(3);
  expect(command.output.stderr).toBe("The browser has closed (browser closed: requested).\n");
});

test("the tunnel announces a desktop, and exits with code 3 when the desktop stops", async () => {
  await using service = await openFakeService();
  await using command = startCommand([service.rfbUrl, "--port", "0"]);
  const port = await command.port;
  expect(command.output.stdout).toMatch(/VNC viewers: connect to 127\.0\.0\.1:.*password/);
  service.end();
  await fetch(`http://127.0.0.1:${port}/`).catch(() => {});
  expect(await command.ended).toBe(3);
  expect(command.output.stderr).toMatch(/^The desktop has stopped\./);
});

test("the tunnel trusts the CA in NODE_EXTRA_CA_CERTS", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tunnel-"));
  try {
    const file = join(folder, "ca.pem");
    writeFileSync(file, CERTIFICATE);
    await using service = await openFakeService({ isSecure: true, prefix: "/some/prefix" });
    await using command = startCommand([service.address, "--port", "0"], { NODE_EXTRA_CA_CERTS: file });
    expect(await isServed(await command.port)).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each<[string[], number, RegExp]>([
  [[], 2, /Give exactly one address\..*remote-browser-tunnel ADDRESS/s],
  [["ws://a/devtools/browser/b", "ws://a/devtools/browser/c"], 2, /Give exactly one address/],
  [["ws://a/devtools/browser/b", "--port", "65536"], 2, /--port must be a number from 0 to 65535, not "65536"/],
  [["ws://a/devtools/browser/b", "--port", "x"], 2, /--port must be a number/],
  [["ws://a/devtools/browser/b", "--insecure"], 2, /--insecure/],
  [["127.0.0.1:8080"], 2, /begins with ws:\/\/ or wss:\/\//],
  [["ws://no-such-host.invalid/devtools/browser/b"], 1, /The host no-such-host\.invalid does not exist/],
])("%j exits with %i and a message without a stack", async (args, code, message) => {
  await using command = startCommand(args);
  expect(await command.ended).toBe(code);
  expect(command.output.stderr).toMatch(message);
  expect(command.output.stderr).not.toMatch(/^ +at /m);
});

test("the tunnel exits with 3 for an unknown address, and with 1 for a port in use", async () => {
  await using service = await openFakeService();
  await using unknown = startCommand([`${service.address}x`]);
  expect(await unknown.ended).toBe(3);
  expect(unknown.output.stderr).toMatch(/404 BrowserNotFound/);
  await using taken = startCommand([service.address, "--port", String(service.port)]);
  expect(await taken.ended).toBe(1);
  expect(taken.output.stderr).toMatch(/in use/);
});

test("text from a server can't control the terminal, and is printed on one line", async () => {
  const says = "\u001B[2J\u001B]0;title\u0007 gone\r\nDevTools:\u009B1m\u202Eback";
  const message = JSON.stringify({ status: 403, name: "Forbidden", message: says });
  const refusal = `HTTP/1.1 403 Forbidden\r\nContent-Length: ${Buffer.byteLength(message)}\r\n\r\n${message}`;
  await using refusing = await openFakeService({ refusal });
  await using refused = startCommand([refusing.address, "--port", "0"]);
  expect(await refused.ended).toBe(1);
  await using service = await openFakeService();
  await using ending = startCommand([service.address, "--port", "0"]);
  await ending.port;
  service.end(says);
  expect(await ending.ended).toBe(3);
  for (const { output } of [refused, ending]) expect(output.stderr).toMatch(/^\P{C}*gone DevTools: 1m back\P{C}*\n$/u);
});

test("--help shows all options", async () => {
  await using command = startCommand(["--help"]);
  expect(await command.ended).toBe(0);
  expect(command.output.stdout).toMatch(/ADDRESS.*--port.*NODE_EXTRA_CA_CERTS.*Exit codes/s);
});
