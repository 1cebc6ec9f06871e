import { afterAll, beforeAll, expect, test } from "vitest";
import { type OperatorRig, startOperatorRig } from "../../../../test/support/pages/operator-rig.ts";

let rig: OperatorRig;

beforeAll(async () => {
  rig = await startOperatorRig();
});

afterAll(() => rig[Symbol.asyncDispose]());

/** Returns the text of each table row. */
function readRows(text: string): string[] {
  const [, table = ""] = /id="acts"[^]*?<tbody>([^]*?)<\/tbody>/.exec(text) ?? [];
  return [...table.matchAll(/<tr>([^]*?)<\/tr>/g)].map(([, row = ""]) =>
    row
      .replaceAll(/<time[^]*?<\/time>/g, "")
      .replaceAll(/<[^>]*>/g, " ")
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
}

test("an account's page shows its own audit log entries, and the audit log shows all entries", async () => {
  const [{ email }, { email: other }] = [(await rig.newUser()).user, (await rig.newUser()).user];
  await rig.act(email, "terms", { plan: "self-hosted", parallel: "2", units: "" });
  await rig.act(email, "disable");
  await rig.act(other, "give-rights");
  const { email: operator } = rig.operator;
  const path = await rig.findPath(email);
  const acts = [
    "Disabled the account",
    "Changed plan or limits plan self-hosted, 2 parallel browsers, the plan&#39;s units, additional units off",
    "Created the account no plan",
  ];
  const ofAccount = acts.map((act) => `${act} ${operator}`);
  expect(readRows((await rig.operator.get(path)).text)).toEqual(ofAccount);
  const of = path.split("/").at(-1);
  expect(readRows((await rig.operator.get(`/operator/audit?of=${of}`)).text)).toEqual(ofAccount);
  const all = readRows((await rig.operator.get("/operator/audit")).text);
  expect(all.slice(0, 3)).toEqual([
    `Gave operator rights ${other} ${operator}`,
    ...acts.slice(0, 2).map((act) => `${act} ${email} ${operator}`),
  ]);
});

test("entries about a deleted account remain, without the account's email address", async () => {
  const { user, password } = await rig.newUser();
  const { email } = user;
  const id = (await rig.findPath(email)).split("/").at(-1) ?? "";
  await user.get("/dashboard/settings");
  await user.post("/dashboard/settings/delete", { "delete-email": email, "delete-password": password });
  const { text } = await rig.operator.get("/operator/audit");
  expect(readRows(text)[0]).toBe(`Created the account no plan Deleted account ${id} ${rig.operator.email}`);
  expect(text).not.toContain(email);
});

test("the audit log shows fifty entries per page, and an account's page shows the last five", async () => {
  const { email } = (await rig.newUser()).user;
  for (let times = 0; times < 26; times += 1) for (const act of ["disable", "enable"]) await rig.act(email, act);
  const path = await rig.findPath(email);
  const { text } = await rig.operator.get(path);
  expect(readRows(text)).toHaveLength(5);
  let next: string | undefined = /href="([^"]+)">All entries/.exec(text)?.[1];
  const sizes: number[] = [];
  while (next !== undefined) {
    const page = (await rig.operator.get(next.replaceAll("&amp;", "&"))).text;
    sizes.push(readRows(page).length);
    next = /href="([^"]+)">Next page/.exec(page)?.[1];
  }
  expect(sizes).toEqual([50, 3]);
});
