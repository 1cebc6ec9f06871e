import { expect, test } from "vitest";
import { startFakeService } from "../../test/support/fake-service.ts";

test("whether the server is ready is asked anew each time: nothing on the way keeps the answer", async () => {
  await using fake = await startFakeService();
  const ready = await fetch(new URL("/readyz", fake.service.url));
  expect([ready.status, ready.headers.get("cache-control")]).toEqual([200, "no-store"]);
});
