import { createSocket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { expect, test } from "vitest";
import { nameResolver } from "./resolve-name.ts";

test("names whose servers are silent fail in their time, and keep nobody else's waiting", async () => {
  const silent = createSocket("udp4").bind(0, "127.0.0.1");
  await once(silent, "listening");
  const resolve = nameResolver({ servers: [`127.0.0.1:${silent.address().port}`], timeoutMs: 200 });
  let isOver = false;
  const silence = Promise.allSettled(Array.from({ length: 20 }, (_, index) => resolve(`name${index}.example`))).then(
    (answers) => {
      isOver = true;
      return answers;
    },
  );
  expect((await lookup("localhost")).address).toBeDefined();
  expect(isOver).toBe(false);
  for (const answer of await silence)
    expect(answer).toMatchObject({ status: "rejected", reason: { code: "ETIMEOUT" } });
  silent.close();
});

test("a name that only the system knows is found by asking the system", async () => {
  const refusing = nameResolver({ servers: ["127.0.0.1:9"], timeoutMs: 200 });
  expect(await refusing("localhost")).toEqual(expect.arrayContaining([expect.stringMatching(/^127|^::1/)]));
});
