import { expect, test } from "vitest";
import { Places } from "./places.ts";

test("who wants more than there are gets all of them", async () => {
  const places = new Places(2);
  const all = await places.take(5);
  let isAdmitted = false;
  const next = places.take(1).then((place) => {
    isAdmitted = true;
    return place;
  });
  await Promise.resolve();
  expect(isAdmitted).toBe(false);
  all[Symbol.dispose]();
  using one = await next;
  using _ = await places.take(1);
  expect(one).toBeDefined();
});
