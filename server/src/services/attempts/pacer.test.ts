import { expect, test } from "vitest";
import { FakeClock } from "../../../test/fakes/fake-clock.ts";
import { Pacer } from "./pacer.ts";

test("keys don't displace other keys if all their tries have been given back", async () => {
  const pacer = new Pacer({ freeTries: 5, maxPauseS: 16, forgetAfterS: 3600 }, 10, new FakeClock());
  for (let n = 0; n < 2; n += 1) await pacer.take("ann");
  for (let n = 0; n < 100; n += 1) {
    await pacer.take(`${n}`);
    await pacer.giveBack(`${n}`);
  }
  await pacer.giveBack("ann");
  expect([pacer.count("ann"), pacer.size]).toEqual([1, 1]);
});
