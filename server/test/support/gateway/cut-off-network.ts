import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";

const run = promisify(execFile);
const ip = (...parts: string[]): Promise<unknown> => run("ip", parts);

/**
 * A network namespace with a link to the current namespace. Requires root. Disposing removes the namespace and ends its
 * processes.
 */
type CutOffNetwork = AsyncDisposable & {
  /** The current namespace's address on the link. */
  readonly host: string;
  /**
   * Runs a Node script in the namespace. Resolves when the script prints its first line; rejects if the script exits
   * without printing one.
   */
  start(script: string, ...args: string[]): Promise<void>;
  /** Drops all further packets in both directions, without an error on either side. */
  cut(): Promise<void>;
};

/** @param number From 0 to 255. Networks that exist at the same time must have different numbers. */
export async function openCutOffNetwork(number: number): Promise<CutOffNetwork> {
  const name = `gateway-${number}`;
  const [near, far] = [`gw-near-${number}`, `gw-far-${number}`];
  const [host, peer] = [`10.213.${number}.1`, `10.213.${number}.2`];
  const children: ChildProcess[] = [];
  await using undo = new AsyncDisposableStack();

  await ip("netns", "add", name);
  undo.defer(async () => void (await ip("netns", "del", name)));
  await ip("link", "add", near, "type", "veth", "peer", "name", far, "netns", name);
  undo.defer(async () => void (await ip("link", "del", near)));
  await ip("addr", "add", `${host}/30`, "dev", near);
  await ip("link", "set", near, "up");
  await ip("-n", name, "addr", "add", `${peer}/30`, "dev", far);
  await ip("-n", name, "link", "set", far, "address", "02:00:00:00:00:02", "up");
  // A permanent ARP entry, because an unanswered ARP request would be reported as an error.
  await ip("neigh", "replace", peer, "lladdr", "02:00:00:00:00:02", "dev", near, "nud", "permanent");

  undo.defer(async () => {
    for (const child of children) {
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    }
  });
  const resources = undo.move();
  return {
    host,
    async start(script, ...args) {
      const child = spawn("ip", ["netns", "exec", name, process.execPath, script, ...args], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      children.push(child);
      const ended = once(child, "exit").then(() => {
        throw new Error(`${script} exited before it printed a line.`);
      });
      await Promise.race([once(child.stdout, "data"), ended]);
    },
    cut: async () => void (await ip("-n", name, "link", "set", far, "down")),
    [Symbol.asyncDispose]: () => resources[Symbol.asyncDispose](),
  };
}
