import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";

/** The folder in which `ip netns` stores namespaces. */
const FOLDER = "/run/netns";
const PREFIX = "rbs-test-";

/**
 * How a machine's connections are broken. `silent`: packets from the machine are dropped; `deaf`: packets to the
 * machine are dropped; `cut`: packets in both directions are dropped; `refusing`: existing and new connections are
 * reset.
 */
export type Breakage = "silent" | "deaf" | "cut" | "refusing";

/** Selects the connections to break, by the peers' addresses and optionally by the peers' or the machine's own port. */
type Connections = {
  readonly remotes: readonly string[];
  readonly remotePort?: number;
  readonly ownPort?: number;
};

/** A machine in a network, simulated by a network namespace. */
export type NetworkMachine = {
  readonly address: string;
  /** The command prefix that starts a program on the machine and keeps its process id. */
  readonly wrapper: readonly string[];
  /** Breaks the machine's connections until disposed. */
  breakOff(how: Breakage, which: Connections): Disposable;
};

/** An Ethernet network that connects machines, including this machine. Disposing removes the network. */
export type Network = Disposable & {
  /** This machine's addresses on the network. */
  readonly addresses: readonly string[];
  add(): NetworkMachine;
};

/** Returns the reason networks can't be created on this machine; undefined if they can. */
export function findNetworkObstacle(): string | undefined {
  if (process.getuid?.() !== 0) return "only root can create networks";
  try {
    using network = openNetwork();
    network.add().breakOff("refusing", { remotes: network.addresses, remotePort: 1 })[Symbol.dispose]();
    return undefined;
  } catch (error) {
    const [why] = String(error).split("\n");
    return `networks require iproute2 and iptables, which \`npm run setup\` installs, and a system that allows network namespaces (${why})`;
  }
}

/** Creates a network whose switch is a separate namespace, so this machine's firewall rules don't affect it. */
export function openNetwork(): Network {
  removeAbandoned();
  const prefix = `${PREFIX}${process.pid}-`;
  // Three bytes of the process's id determine the subnet and the interface names, which have at most 15 characters.
  const subnet = `10.${64 + (process.pid % 64)}.${Math.floor(process.pid / 64) % 256}`;
  const toAddress = (host: number): string => `${subnet}.${host}`;
  const hub = `${prefix}hub`;
  const own = `rbs${process.pid}`;
  const addresses = [1, 2, 3, 4].map(toAddress);
  const names: string[] = [];
  const newNamespace = (name: string): void => {
    ip("netns", "add", name);
    names.push(name);
    ip("-n", name, "link", "set", "lo", "up");
  };
  const remove = (): void => {
    for (const name of names.splice(0)) ip("netns", "del", name);
  };
  try {
    newNamespace(hub);
    ip("-n", hub, "link", "add", "switch", "type", "bridge");
    ip("-n", hub, "link", "set", "switch", "up");
    ip("link", "add", own, "type", "veth", "peer", "name", "port1", "netns", hub);
    ip("-n", hub, "link", "set", "port1", "master", "switch", "up");
    for (const address of addresses) ip("address", "add", `${address}/24`, "dev", own);
    ip("link", "set", own, "up");
  } catch (error) {
    remove();
    throw error;
  }
  let last = addresses.length;
  return {
    addresses,
    add() {
      const number = (last += 1);
      const [name, port, address] = [`${prefix}${number}`, `port${number}`, toAddress(number)];
      newNamespace(name);
      ip("-n", name, "link", "add", "net0", "type", "veth", "peer", "name", port, "netns", hub);
      ip("-n", hub, "link", "set", port, "master", "switch", "up");
      ip("-n", name, "address", "add", `${address}/24`, "dev", "net0");
      ip("-n", name, "link", "set", "net0", "up");
      return {
        address,
        wrapper: ["nsenter", `--net=${FOLDER}/${name}`, "--"],
        breakOff(how, which) {
          const rules = toRules(how, which);
          const change = (action: "--append" | "--delete"): void => {
            for (const [chain, ...rule] of rules)
              execFileSync("ip", ["netns", "exec", name, "iptables", "--wait", action, chain, ...rule]);
          };
          change("--append");
          return { [Symbol.dispose]: () => change("--delete") };
        },
      };
    },
    [Symbol.dispose]: remove,
  };
}

type Rule = readonly [chain: "INPUT" | "OUTPUT", ...rule: string[]];

function toRules(how: Breakage, { remotes, remotePort, ownPort }: Connections): Rule[] {
  const all = remotes.join(",");
  const option = (name: string, port: number | undefined): string[] => (port === undefined ? [] : [name, String(port)]);
  const sent = ["-p", "tcp", "-d", all, ...option("--dport", remotePort), ...option("--sport", ownPort)];
  const received = ["-p", "tcp", "-s", all, ...option("--sport", remotePort), ...option("--dport", ownPort)];
  const drops: Rule[] = [];
  if (how === "silent" || how === "cut") drops.push(["OUTPUT", ...sent, "-j", "DROP"]);
  if (how === "deaf" || how === "cut") drops.push(["INPUT", ...received, "-j", "DROP"]);
  if (how !== "refusing") return drops;
  // The end that opens connections receives the resets.
  const reset = ["-j", "REJECT", "--reject-with", "tcp-reset"];
  return [ownPort === undefined ? ["OUTPUT", ...sent, ...reset] : ["INPUT", ...received, ...reset]];
}

/** Removes the networks of killed processes. */
function removeAbandoned(): void {
  for (const name of readNamespaces()) {
    const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? [];
    if (pid !== undefined && !isRunning(Number(pid))) ip("netns", "del", name);
  }
}

function readNamespaces(): string[] {
  try {
    return readdirSync(FOLDER);
  } catch {
    return [];
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function ip(...args: readonly string[]): void {
  execFileSync("ip", args, { stdio: ["ignore", "ignore", "pipe"] });
}
