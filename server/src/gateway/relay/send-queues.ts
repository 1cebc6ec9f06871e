import { readFile } from "node:fs/promises";
import type { Socket } from "node:net";
import ipaddr from "ipaddr.js";

/** Reads the number of bytes unacknowledged by each connection's peer. The result omits unknown connections. */
export type ReadSendQueues = (keys: ReadonlySet<string>) => Promise<ReadonlyMap<string, number>>;

/** Returns `local remote` as in the kernel's tables: an address's bytes in groups of four, with each group reversed. */
export function toConnectionKey(socket: Socket): string | undefined {
  const { localAddress, localPort, remoteAddress, remotePort } = socket;
  if (localAddress === undefined || localPort === undefined) return undefined;
  if (remoteAddress === undefined || remotePort === undefined) return undefined;
  return `${toEndpoint(localAddress, localPort)} ${toEndpoint(remoteAddress, remotePort)}`;
}

function toEndpoint(address: string, port: number): string {
  const bytes = ipaddr.parse(address).toByteArray();
  const groups = bytes.map((_, at) => bytes[at - (at % 4) + 3 - (at % 4)] ?? 0);
  return `${Buffer.from(groups).toString("hex")}:${port.toString(16).padStart(4, "0")}`.toUpperCase();
}

/** Each table and the length of its keys, which are two endpoints in hexadecimal, with 4- or 16-byte addresses. */
const TABLES = [
  { file: "tcp", keyLength: 2 * 13 + 1 },
  { file: "tcp6", keyLength: 2 * 37 + 1 },
];

/** Reads Linux's tables of TCP connections. On other systems, every connection is unknown. */
export async function readKernelSendQueues(
  keys: ReadonlySet<string>,
  folder = "/proc/self/net",
): Promise<ReadonlyMap<string, number>> {
  const queues = new Map<string, number>();
  for (const { file, keyLength } of TABLES) {
    if (![...keys].some((key) => key.length === keyLength)) continue;
    const table = await readFile(`${folder}/${file}`, "latin1").catch(() => "");
    readTable(table, keyLength, keys, queues);
  }
  return queues;
}

/** Reads rows of the form `  sl: local remote st tx_queue:rx_queue …`. Rows with other keys are not parsed. */
function readTable(table: string, keyLength: number, keys: ReadonlySet<string>, queues: Map<string, number>): void {
  for (let row = table.indexOf("\n") + 1; row > 0; row = table.indexOf("\n", row) + 1) {
    const start = table.indexOf(": ", row) + 2;
    if (start < 2) return;
    const key = table.slice(start, start + keyLength);
    if (!keys.has(key)) continue;
    const queue = start + keyLength + " 01 ".length;
    queues.set(key, Number.parseInt(table.slice(queue, queue + 8), 16));
  }
}
