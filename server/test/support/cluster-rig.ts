import type { Worker } from "../../src/ports/worker-registry.ts";

/** A worker with a place, as it reports. Its URL is `http://<id>`. */
export function toWorker(id: string, changes: Partial<Worker> = {}): Worker {
  return {
    id,
    role: "worker",
    url: `http://${id}`,
    instance: "1",
    version: "1.0.0",
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
