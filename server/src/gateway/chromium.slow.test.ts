import { once } from "node:events";
import { expect, test } from "vitest";
import { openChromium } from "../../test/support/gateway/chromium.ts";
import { countedTarget, openGatewayRig } from "../../test/support/gateway/gateway-rig.ts";
import { MAX_FRAME_BYTES } from "./relay/devtools-relay.ts";

const HEADER_BYTES = 14;
const START = '{"id":1,"method":"Browser.getVersion","params":{"x":"';
const END = '"}}';

test("Chromium accepts a frame of the maximum length, and a longer message in several frames, but drops the connection after a longer frame", async () => {
  await using browser = await openChromium();
  const target = countedTarget(browser, browser.devtoolsPath);
  await using rig = await openGatewayRig(target);
  const most = MAX_FRAME_BYTES - HEADER_BYTES;
  const message = Buffer.alloc(most + 1, "x");
  message.write(START);

  await using clients = new AsyncDisposableStack();
  const connect = async () => {
    const client = await rig.openClient();
    clients.defer(() => client.terminate());
    return client;
  };
  /** Sends a message in frames of at most this size. */
  const send = async (bytes: number, frameBytes: number) => {
    const client = await connect();
    const command = message.subarray(0, bytes);
    command.write(END, bytes - END.length);
    for (let at = 0; at < bytes; at += frameBytes) {
      client.send(command.subarray(at, at + frameBytes), { binary: false, fin: at + frameBytes >= bytes });
    }
    return client;
  };
  for (const [bytes, frameBytes] of [
    [most, most],
    [most + 1, most],
  ] as const) {
    const [answer] = (await once(await send(bytes, frameBytes), "message")) as [Buffer];
    expect(JSON.parse(String(answer))).toMatchObject({
      id: 1,
      result: { product: expect.stringContaining("Chrome/") },
    });
    message.fill("x", bytes - END.length, bytes);
  }
  const [code, reason] = (await once(await send(most + 1, most + 1), "close")) as [number, Buffer];
  expect([code, String(reason)]).toEqual([
    1009,
    expect.stringContaining("is too long: Chromium accepts up to 104857600"),
  ]);
});
