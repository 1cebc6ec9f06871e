import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../machine/free-port.ts";
import { until } from "../until.ts";

/** A widely used HTTP proxy, on a loopback port. Disposing stops the proxy. */
export type Tinyproxy = AsyncDisposable & {
  readonly port: number;
  /** Returns the log, which contains each request's first line. */
  log(): string;
};

/** @param login The required user name and password, letters and digits only. Default: none. */
export async function openTinyproxy(
  login?: { readonly username: string; readonly password: string },
  port?: number,
): Promise<Tinyproxy> {
  const listenPort = port ?? (await freePort());
  const folder = await mkdtemp(join(tmpdir(), "tinyproxy-"));
  const file = join(folder, "tinyproxy.conf");
  const lines = [`Port ${listenPort}`, "Listen 127.0.0.1", "Timeout 60", "MaxClients 500", "LogLevel Connect"];
  if (login !== undefined) lines.push(`BasicAuth ${login.username} ${login.password}`);
  await writeFile(file, `${lines.join("\n")}\n`);
  const child = spawn("tinyproxy", ["-d", "-c", file], { stdio: ["ignore", "pipe", "pipe"] });
  let log = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (log += text));
  const ended = once(child, "exit");
  const end = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await until(() => isListening(listenPort), Boolean);
  } catch (error) {
    await end();
    throw new Error(`tinyproxy did not start: ${log}`, { cause: error });
  }
  return { port: listenPort, log: () => log, [Symbol.asyncDispose]: end };
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
