import type { Account } from "../../../src/domain/account/account.ts";
import { CALLS_VERSION } from "../../../src/ports/cluster/worker-call-rules.ts";
import { type WorkerCalls, type WorkerClient, WorkerUnreachable } from "../../../src/ports/cluster/worker-calls.ts";
import type { Server } from "../../../src/ports/cluster/server-registry.ts";

/** Returns the report of a worker with a free slot. The worker's URL is `http://<id>`. */
export function toWorker(id: string, changes: Partial<Server> = {}): Server {
  return {
    id,
    role: "worker",
    url: `http://${id}`,
    instance: "1",
    version: "1.0.0",
    calls: CALLS_VERSION,
    kinds: ["chromium"],
    plans: "12345678",
    capacity: 1,
    taken: 0,
    warm: 0,
    wanted: "active",
    seenAt: new Date(0),
    isAlive: true,
    ...changes,
  };
}

/** Creates a client that reaches only the workers with these ids. Other workers are unreachable. */
export function newFakeClient(workers: Readonly<Record<string, Partial<WorkerCalls>>>): Pick<WorkerClient, "at"> {
  return {
    at({ url }) {
      const calls = workers[new URL(url).host];
      const refuse = async (): Promise<never> => {
        throw new WorkerUnreachable(`${url} can't be reached.`, { isOutcomeUnknown: false });
      };
      return new Proxy({} as WorkerCalls, { get: (_, name: keyof WorkerCalls) => calls?.[name] ?? refuse });
    },
  };
}

export function toAccount(id: string): Account {
  const none = { plan: undefined, parallel: undefined, units: undefined, hasAdditionalUnits: false };
  const flags = { isDisabled: false, isOperator: false, createdAt: new Date(0), version: 0 };
  return { id, email: `${id}@example.com`, ...none, ...flags };
}
