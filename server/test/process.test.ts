import { afterEach, beforeEach, expect, test } from "vitest";
import { connectDevtools } from "./support/devtools-client.ts";
import { type Home, openHome } from "./support/home.ts";
import { type RealServer, readLog, startServer } from "./support/real-server.ts";
import { until } from "./support/until.ts";

let home: Home;
let server: RealServer;

beforeEach(async () => {
  home = await openHome();
});

afterEach(async () => {
  await server[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

/** Starts a server in which SIGUSR2 runs some code. */
async function startWith(code: string): Promise<RealServer> {
  const module = `data:text/javascript,${encodeURIComponent(`process.on("SIGUSR2", () => { ${code} });`)}`;
  return startServer({ settings: { NODE_OPTIONS: `--import ${module}` } }, home);
}

test("a rejection without a handler is logged, and browsers go on", async () => {
  server = await startWith('Promise.reject(new Error("a bug"))');
  const client = await connectDevtools(await server.open({ Browser: 3 }));
  server.signal("SIGUSR2");
  const [line] = await until(
    () => readLog(server, "server.unhandled_rejection"),
    ({ length }) => length > 0,
  );
  expect(line).toMatchObject({ level: "error", error: { message: "a bug" } });
  expect(await client.command("Browser.getVersion")).toMatchObject({ protocolVersion: "1.3" });
});

test("an uncaught exception is logged and ends the server with its browsers", async () => {
  server = await startWith('setImmediate(() => { throw new Error("a bug"); })');
  await server.open({ Browser: 3 });
  server.processes();
  server.signal("SIGUSR2");
  expect(await server.ended).toMatchObject({ code: 1 });
  expect(readLog(server, "server.crashed")).toMatchObject([{ error: { message: "a bug" } }]);
  await until(
    () => server.processes(),
    ({ length }) => length === 0,
  );
});

test("a repeated Ctrl-C doesn't interrupt the drain, a second one after half a second ends the server", async () => {
  server = await startServer({ settings: { RBS_DRAIN_S: "60" } }, home);
  await server.open({ Browser: 3 });
  server.processes();
  const startedAt = performance.now();
  let hasEnded = false;
  void server.ended.then(() => (hasEnded = true));
  await until(
    () => {
      server.signal("SIGINT");
      return hasEnded;
    },
    (now) => now,
  );
  expect(await server.ended).toMatchObject({ code: 1 });
  expect(performance.now() - startedAt).toBeGreaterThan(500);
  await until(
    () => server.processes(),
    ({ length }) => length === 0,
  );
});
