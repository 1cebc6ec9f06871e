import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, type Socket, connect } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { operations } from "@remote-browser/contract/operations";
import { expect, onTestFinished, test } from "vitest";
import { FakeClock, settled } from "../../../test/fakes/fake-clock.ts";
import { RecordingLog } from "../../../test/fakes/recording-log.ts";
import { until } from "../../../test/support/until.ts";
import type { Call, Handlers } from "../../contract/operation.ts";
import type { Account } from "../../domain/account/account.ts";
import { Failure } from "../../domain/failure.ts";
import type { Picture } from "../../ports/display.ts";
import type { Fleet } from "../../ports/fleet.ts";
import type { BrowserRecords } from "../../services/records/records.ts";
import { newScreenshotPermits } from "../../services/pictures/capture-permits.ts";
import { newServiceApp } from "../app.ts";
import { mountContract } from "../mount.ts";
import { newBrowserHandlers } from "./browser.ts";
import { systemClock } from "../../adapters/node/system-clock.ts";

const PICTURE = { type: "image/png", bytes: Buffer.from("picture") } as const;

test("an account can take four screenshots at the same time, without delaying other accounts", async () => {
  const permits = newScreenshotPermits(new FakeClock());
  const taken: string[] = [];
  const { promise, resolve } = Promise.withResolvers<Picture>();
  const fleet: Pick<Fleet, "takeScreenshot"> = {
    takeScreenshot({ id }) {
      taken.push(id);
      return promise;
    },
  };
  const { takeScreenshot } = newBrowserHandlers(fleet as Fleet, {} as BrowserRecords, permits);
  const take = async (id: string): Promise<void> => {
    using kept = new DisposableStack();
    const { signal } = new AbortController();
    const keepUntilWritten = (permit: Disposable): void => void kept.use(permit);
    const call = { account: { id } as Account, body: { id: "br_1" }, signal, keepUntilWritten };
    await takeScreenshot(call as Call<"takeScreenshot">);
  };
  const all = [...Array.from({ length: 40 }, () => take("a")), take("b")];
  await settled();
  expect(taken).toEqual(["a", "a", "a", "a", "b"]);
  resolve(PICTURE);
  await Promise.all(all);
  expect([taken.length, permits.held, permits.waiting]).toEqual([41, 0, 0]);
});

/** Starts a server that takes screenshots. Records how many permits were held when each response was written. */
async function serve(takeScreenshot: Fleet["takeScreenshot"]) {
  const clock = new FakeClock();
  const permits = newScreenshotPermits(clock);
  const log = new RecordingLog();
  const app = newServiceApp({
    newRequestId: () => "r1",
    pathPrefix: "",
    origins: new Set(),
    isHttpsOnly: false,
    clock: systemClock,
    log,
  });
  mountContract(app, newBrowserHandlers({ takeScreenshot } as Fleet, {} as BrowserRecords, permits) as Handlers, {
    authenticate: async () => ({ id: "a1" }) as Account,
    checkRate: undefined,
    publicUrl: undefined,
    capabilities: { graphical: true, desktop: true, ai: true },
    admission: {},
    clock,
  });
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  const heldAtEnd: number[] = [];
  server.prependListener("request", (_, response) => {
    const end = response.end.bind(response);
    response.end = (...given: unknown[]) => {
      heldAtEnd.push(permits.held);
      return end(...(given as Parameters<typeof end>));
    };
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    permits,
    heldAtEnd,
    /** Requests a screenshot without reading the response. */
    async ask(): Promise<Socket> {
      const body = '{"id":"br_1"}';
      const socket = connect((server.address() as AddressInfo).port, "127.0.0.1").pause();
      onTestFinished(() => void socket.destroy());
      const head = ["Host: x", "Authorization: Bearer t", "Content-Type: application/json", "Connection: close"];
      const length = `Content-Length: ${body.length}`;
      socket.write(
        `POST ${operations.takeScreenshot.path} HTTP/1.1\r\n${[...head, length].join("\r\n")}\r\n\r\n${body}`,
      );
      await once(socket, "connect");
      return socket;
    },
    untilReleased: () =>
      until(
        () => permits.held,
        (held) => held === 0,
      ),
  };
}

test("a screenshot holds its permit until the response is written, even if the client doesn't read it", async () => {
  const { heldAtEnd, ask, untilReleased } = await serve(async () => ({
    ...PICTURE,
    bytes: Buffer.alloc(16 * 2 ** 20),
  }));
  await ask();
  await until(
    () => heldAtEnd,
    (ends) => ends.length === 1,
  );
  expect(heldAtEnd).toEqual([1]);
  await untilReleased();
});

test("a failed screenshot releases its permit", async () => {
  const { heldAtEnd, ask, untilReleased } = await serve(() =>
    Promise.reject(new Failure("BrowserNotFound", "There is no such browser.")),
  );
  const socket = await ask();
  const [answer] = await once(socket.resume(), "data");
  expect(String(answer)).toMatch(/^HTTP\/1.1 404 /);
  expect(heldAtEnd).toEqual([1]);
  await untilReleased();
});

test("a disconnected caller's permit is released, even if the picture arrives later", async () => {
  const { promise, resolve } = Promise.withResolvers<Picture>();
  const { permits, ask, untilReleased } = await serve(() => promise);
  const socket = await ask();
  await until(
    () => permits.held,
    (held) => held === 1,
  );
  socket.destroy();
  await untilReleased();
  resolve(PICTURE);
  await settled();
  expect(permits.held).toBe(0);
});
