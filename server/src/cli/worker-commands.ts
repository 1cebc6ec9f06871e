import type { Config } from "../config/config.ts";
import { COMMAND_LINE } from "../ports/store/audit-store.ts";
import { isCallable } from "../ports/cluster/worker-call-rules.ts";
import {
  findSharedUrls,
  toServerState,
  type Server,
  type WantedState,
  type ServerRegistry,
} from "../ports/cluster/server-registry.ts";
import type { Audit } from "../services/operators/audit.ts";
import { AccountError } from "../services/accounts/errors.ts";
import { type DatabaseCommand, openDatabase, required } from "./command.ts";

/** Commands that manage the servers that share a PostgreSQL database. */
export const WORKER_COMMANDS: Readonly<Record<string, DatabaseCommand>> = {
  "worker list": {
    options: [],
    run: (config) =>
      withRegistry(config, async (registry) => {
        const servers = await registry.list();
        const shared = findSharedUrls(servers);
        return servers.map((server) =>
          toJson(server, shared.find(({ workers }) => workers.includes(server.id))?.message),
        );
      }),
  },
  "worker cordon": toWant("cordoned"),
  "worker uncordon": toWant("active"),
  "worker drain": toWant("draining"),
  "worker remove": {
    options: ["id"],
    run: (config, values) =>
      withRegistry(config, async (registry, audit) => {
        const id = required(values, "id");
        const removal = await registry.remove(id);
        if (removal.is === "alive") {
          throw new AccountError(
            `The worker ${id} reported less than ten seconds ago. If the worker is running, stop it, so that it ends its browsers and leaves the cluster. If the worker was killed, wait ten seconds.`,
          );
        }
        if (removal.is === "unknown") throw toUnknown(id);
        const lost = { lostBrowsers: removal.browsers };
        await audit.record(COMMAND_LINE, { act: "server removed", subject: id, details: lost });
        return { removed: id, ...lost };
      }),
  },
};

function toWant(state: WantedState): DatabaseCommand {
  return {
    options: ["id"],
    run: (config, values) =>
      withRegistry(config, async (registry, audit) => {
        const id = required(values, "id");
        if (!(await registry.want(id, state))) throw toUnknown(id);
        await audit.record(COMMAND_LINE, { act: `server ${state}`, subject: id });
        return { id, state };
      }),
  };
}

async function withRegistry<T>(
  config: Config,
  use: (registry: ServerRegistry, audit: Audit) => Promise<T>,
): Promise<T> {
  if (config.database === undefined) {
    throw new AccountError("Set RBS_DATABASE_URL. A server with an SQLite file has no other workers.");
  }
  await using storage = await openDatabase(config);
  const { workers } = storage.store;
  if (workers === undefined) throw new Error("The store has no workers.");
  return await use(workers, storage.audit);
}

/** @param error The worker's problem; undefined if it has none. */
function toJson(worker: Server, error: string | undefined): object {
  const { id, role = "all", url, isAlive, seenAt, version, calls, kinds, plans, capacity, taken, warm } = worker;
  return {
    id,
    role,
    ...(url !== undefined && { url }),
    state: toServerState(worker),
    alive: isAlive,
    lastReport: seenAt.toISOString(),
    version,
    ...(role === "worker" && { compatible: isCallable(calls) }),
    kinds,
    plans,
    capacity,
    taken,
    warm,
    ...(error !== undefined && { error }),
  };
}

function toUnknown(id: string): AccountError {
  return new AccountError(
    `There is no worker ${JSON.stringify(id)}. \`worker list\` lists all servers; front-ends have no browsers.`,
  );
}
