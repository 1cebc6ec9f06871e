import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "../../../../server/test/interface.ts";
import { Child } from "./child.ts";
import { SECRET_KEY, SERVER_ENTRY, type Server, type ServerOptions } from "./server.ts";

/** The part of the bench that starts servers. */
type Starter = {
  newFolder(): string;
  newServer(options: ServerOptions): Promise<Server>;
};

const SECRET = "of-front-ends-and-workers-of-the-bench";

/** A front-end with one worker, which runs real browsers. Disposing the cluster stops both processes. */
export type Cluster = AsyncDisposable & { readonly front: Server; readonly workerPort: number };

export async function startCluster(bench: Starter, databaseUrl: string): Promise<Cluster> {
  await using acquired = new AsyncDisposableStack();
  const folder = bench.newFolder();
  await mkdir(folder, { mode: 0o711 });
  const port = `${await freePort()}`;
  const worker = acquired.use(
    await Child.start({
      command: process.execPath,
      arguments: [SERVER_ENTRY],
      environment: {
        RBS_ROLE: "worker",
        RBS_PORT: port,
        RBS_WORKER_URL: `http://127.0.0.1:${port}`,
        RBS_CLUSTER_SECRET: SECRET,
        RBS_DATABASE_URL: databaseUrl,
        RBS_SECRET_KEY: SECRET_KEY,
        RBS_DATA_DIR: join(folder, "data"),
        RBS_WORK_DIR: join(folder, "work"),
        RBS_WARM: "0",
      },
      log: join(folder, "log"),
    }),
  );
  await worker.says(/^Ready on /m);
  const front = acquired.use(await bench.newServer({ databaseUrl, clusterSecret: SECRET }));
  const resources = acquired.move();
  return { front, workerPort: Number(port), [Symbol.asyncDispose]: () => resources.disposeAsync() };
}
