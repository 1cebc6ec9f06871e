import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { expectNothingHeld } from "./support/resources.ts";
import { type RealServer, startServer } from "./support/real-server.ts";

const AT_ONCE = 20;
const SHELL = { Browser: 3 };

let server: RealServer;

beforeAll(async () => {
  server = await startServer({
    plans: {
      three: { parallel: 3 },
      "three-units": { parallel: AT_ONCE, unitsPerMonth: 3 },
    },
  });
});

afterEach(() => expectNothingHeld(server));
afterAll(() => server[Symbol.asyncDispose]());

/** Opens more browsers at once than allowed. @returns Addresses of the open ones, and the refusals as `404 Name`. */
async function openMany(token: string): Promise<{ addresses: string[]; refusals: string[] }> {
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => server.post("Open", SHELL, token)));
  const [opened, refused] = [
    answers.filter(({ status }) => status === 200),
    answers.filter(({ status }) => status !== 200),
  ];
  return {
    addresses: opened.map(({ body }) => String(body["address"])),
    refusals: refused.map(({ status, body }) => `${status} ${String(body["name"])}`),
  };
}

test("of 20 concurrent Open requests with a limit of 3, exactly 3 succeed, and again after closing", async () => {
  const token = await server.home.newAccount("limit@example.com", "three");
  for (const round of [1, 2]) {
    const { addresses, refusals } = await openMany(token);
    expect([round, addresses.length]).toEqual([round, 3]);
    expect(refusals).toEqual(Array.from({ length: 17 }, () => "404 BrowserLimit"));
    expect((await server.addresses(token)).toSorted()).toEqual(addresses.toSorted());
    await Promise.all(addresses.map((address) => server.close(address, token)));
    await expectNothingHeld(server);
  }
});

test("of 20 concurrent Open requests with 3 units left, exactly 3 succeed, and closing returns no units", async () => {
  const email = "units@example.com";
  const token = await server.home.newAccount(email, "three-units");
  const { addresses, refusals } = await openMany(token);
  expect(addresses).toHaveLength(3);
  expect(refusals).toEqual(Array.from({ length: 17 }, () => "403 NoUnits"));
  await Promise.all(addresses.map((address) => server.close(address, token)));
  expect(await server.post("Open", SHELL, token)).toMatchObject({ status: 403, body: { name: "NoUnits" } });
  expect(await server.home.report(email)).toMatchObject({ unitsUsed: 3, openBrowsers: 0 });

  await server.home.accountJson("units", "--email", email, "--additional", "on");
  await server.close(await server.open(SHELL, token), token);
  expect(await server.home.report(email)).toMatchObject({ unitsUsed: 4 });
});
