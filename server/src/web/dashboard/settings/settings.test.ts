import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type DashboardRig, readTables, startDashboardRig } from "../../../../test/support/pages/dashboard-rig.ts";
import {
  newPageUser,
  PASSWORD,
  type PageUser,
  type PageResponse,
  signIn,
} from "../../../../test/support/pages/page-user.ts";

const KEY = "sk-canary-of-somebody-0123456789";
const PLANS = {
  starter: { parallel: 2, unitsPerMonth: 1, maxLifetimeMinutes: 60, selfService: true },
  team: { parallel: 20, selfService: true },
  special: { parallel: 50, unitsPerMonth: 7 },
};
const HERE = "/dashboard/settings";

let folder: string;
let rig: DashboardRig;
let made = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rbs-test-"));
  const file = join(folder, "plans.json");
  await writeFile(file, JSON.stringify(PLANS));
  rig = await startDashboardRig({ RBS_PLANS: file });
});
afterAll(async () => {
  await rig[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

let [email, id, token]: string[] = [];
let user: PageUser;

beforeEach(async () => {
  made += 1;
  email = `person${made}@example.com`;
  ({ user, token, id } = await rig.newMember(email));
  await rig.services.store.accounts.change(id, { plan: null });
});

async function change(path: string, fields: Record<string, string> = {}): Promise<PageResponse> {
  const answer = await user.post(`${HERE}/${path}`, fields);
  return answer.status === 303 ? user.get(answer.headers.get("location") ?? "") : answer;
}

async function open(with_ = token): Promise<readonly [number, string]> {
  const init = { method: "POST", headers: { Authorization: `Bearer ${with_}`, "Content-Type": "application/json" } };
  const answer = await fetch(new URL("/api/v1/Browser/Open", rig.url), { ...init, body: "{}" });
  const { name = "", address = "" } = (await answer.json()) as { name?: string; address?: string };
  return [answer.status, answer.status === 200 ? address : name];
}

/** Returns a page's text without markup. */
const textOf = ({ text }: PageResponse): string =>
  text
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&#39;", "'")
    .replaceAll(/\s+/g, " ");

describe("the plan", () => {
  test("can be chosen: Open returns 402 without a plan, 200 with a plan, and 403 when its units are used up", async () => {
    const before = await user.get(HERE);
    expect(textOf(before)).toContain(
      "This account has no plan. You can't open browsers until you choose a plan (Open returns 402).",
    );
    expect(before.text).not.toContain("special");
    expect(await open()).toEqual([402, "NoSubscription"]);

    const saved = await change("plan", { plan: "starter" });
    expect(textOf(saved)).toMatch(
      /Plan saved.*Your plan is starter .*Parallel browsers 2 Units per month \(UTC\) 1 .*60 minutes/,
    );
    expect((await open())[0]).toBe(200);
    expect(await open()).toEqual([403, "NoUnits"]);

    expect(textOf(await change("plan", { plan: "" }))).toContain(
      "Your account no longer has a plan, so you can't open browsers (Open returns 402).",
    );
    expect(await open()).toEqual([402, "NoSubscription"]);
  });

  test("is preselected and removable only after it has been chosen", async () => {
    const before = await user.get(HERE);
    expect(before.text).not.toMatch(/name="plan"[^>]*checked/);
    expect(textOf(before)).not.toContain("No plan");
    const after = await change("plan", { plan: "starter" });
    expect(after.text).toMatch(/id="plan-starter"[^>]*checked/);
    expect(textOf(after)).toContain("No plan");
  });

  test.each(["special", "self-hosted", "nothing", "<script>"])(
    "can't be set to %j, and the page shows why",
    async (plan) => {
      const { status, text } = await change("plan", { plan });
      expect(status).toBe(400);
      expect(text).toMatch(/role="alert"[^>]*>You can.+t choose the plan/);
      expect(text).not.toContain("<script>");
      expect((await rig.services.store.accounts.find(id ?? ""))?.plan).toBeUndefined();
    },
  );

  test("doesn't change if the form has no plan", async () => {
    await change("plan", { plan: "team" });
    expect((await change("plan")).status).toBe(400);
    expect((await rig.services.store.accounts.find(id ?? ""))?.plan).toBe("team");
  });

  test.each([
    ["an assigned plan", { plan: "special" }, /Your plan is special .*7/],
    ["own limits", { plan: "starter", parallel: 1, units: 3 }, /1 set for this account .*3 set for this account/],
  ])("can't be changed if the operator has set it: %s", async (_, set, shown) => {
    await rig.services.store.accounts.change(id ?? "", set);
    const page = await user.get(HERE);
    expect(textOf(page)).toMatch(shown);
    expect(textOf(page)).toContain("Your operator manages the plan and the limits of this account");
    expect(page.text).not.toContain(`${HERE}/plan`);
    const refused = await change("plan", { plan: "team" });
    expect([refused.status, textOf(refused)]).toEqual([400, expect.stringContaining("Ask your operator to change it")]);
    expect(await rig.services.store.accounts.find(id ?? "")).toMatchObject(set);
  });
});

test("while additional units are enabled, Open works, and the page shows how many were used", async () => {
  await change("plan", { plan: "starter" });
  expect((await open())[0]).toBe(200);
  expect((await open())[0]).toBe(403);
  expect(textOf(await user.get(HERE))).toMatch(/Units used in \d{4}-\d\d \(UTC\): 1 of 1, including 0 additional/);
  const on = await change("additional-units", { "additional-units": "on" });
  expect(textOf(on)).toContain("Additional units are on.");
  expect((await open())[0]).toBe(200);
  expect(textOf(await user.get(HERE))).toMatch(/Units used in \d{4}-\d\d \(UTC\): 2 of 1, including 1 additional/);
  expect(textOf(await change("additional-units", { "additional-units": "off" }))).toContain(
    "Additional units are off.",
  );
  expect((await open())[0]).toBe(403);
});

describe("the provider key", () => {
  test("can be set, replaced and removed, and no part of it is ever shown", async () => {
    const seen: PageResponse[] = [await user.get(HERE)];
    expect(textOf(await user.get(HERE))).toContain("Your queries fail (503) until you set your own key");
    seen.push(await change("provider-key", { "provider-key": KEY }), await user.get(HERE));
    expect(textOf(await user.get(HERE))).toContain("own key set");
    seen.push(await change("provider-key", { "provider-key": `${KEY}-2` }));
    const account = await rig.accountOf(id ?? "");
    expect(await rig.services.auth.providerKeys.find(account)).toEqual({ key: `${KEY}-2`, isDeployments: false });
    seen.push(await change("provider-key/remove"));
    expect(textOf(await user.get(HERE))).toContain("not set");
    expect(await rig.services.auth.providerKeys.hasOwn(account)).toBe(false);
    for (const { text, headers } of seen)
      for (let at = 0; at + 6 <= KEY.length; at += 1)
        expect(text + JSON.stringify([...headers])).not.toContain(KEY.slice(at, at + 6));
  });

  test("has a field whose value browsers mask and don't save", async () => {
    const { text } = await user.get(HERE);
    const [field = ""] = /<input[^>]*name="provider-key"[^>]*>/.exec(text) ?? [];
    expect(field).toMatch(/type="password"/);
    expect(field).toMatch(/autocomplete="off"/);
    expect(field).not.toContain("value");
  });

  test.each(["", "  ", "two words", "ключ", "k".repeat(513), "line\nbreak", "nul\u0000"])(
    "can't be set to %j, and the page doesn't show that value",
    async (key) => {
      const { status, text } = await change("provider-key", { "provider-key": key });
      expect(status).toBe(400);
      expect(text).toMatch(/id="provider-key-fault" role="alert">Enter a key of 1 to 512/);
      expect(readTables(rig)["accounts"]).toContainEqual(expect.objectContaining({ email, provider_key: null }));
    },
  );
});

describe("the password", () => {
  const NEW = "quite another sentence";

  test("can be changed with the current password, which then stops working", async () => {
    const done = await change("password", { "current-password": PASSWORD, "new-password": NEW });
    expect(textOf(done)).toContain("Password changed");
    const visitor = newPageUser(rig.url);
    expect((await visitor.post("/sign-in", { email, password: PASSWORD })).status).toBe(401);
    expect((await visitor.post("/sign-in", { email, password: NEW })).status).toBe(303);
  });

  test.each([
    [{ "current-password": "not this one at all", "new-password": NEW }, "current-password"],
    [{ "current-password": "", "new-password": NEW }, "current-password"],
    [{ "current-password": PASSWORD, "new-password": PASSWORD }, "new-password"],
    [{ "current-password": PASSWORD, "new-password": "short" }, "new-password"],
    [{ "current-password": PASSWORD, "new-password": "aaaaaaaaaaaaaaaa" }, "new-password"],
  ])("isn't changed by a form with %j, and the invalid field shows an error", async (fields, name) => {
    const elsewhere = await signIn(rig.url, email ?? "", PASSWORD);
    const { status, text } = await change("password", fields);
    expect(status).toBe(400);
    expect(text).toMatch(new RegExp(`id="${name}-fault" role="alert"`));
    expect(text).toMatch(new RegExp(`name="${name}"[^>]*aria-describedby="${name}-fault[^>]*aria-invalid="true"`));
    for (const value of [NEW, PASSWORD, "not this one at all"]) expect(text).not.toContain(value);
    expect((await elsewhere.get(HERE)).status).toBe(200);
  });
});

describe("deleting the account", () => {
  const confirmed = () => ({ "delete-email": email ?? "", "delete-password": PASSWORD });

  test("closes its browsers, invalidates its tokens and sessions, and erases all personal data", async () => {
    await change("plan", { plan: "team" });
    await change("provider-key", { "provider-key": KEY });
    const elsewhere = await signIn(rig.url, email ?? "", PASSWORD);
    expect((await open())[0]).toBe(200);
    const gone = await change("delete", { ...confirmed(), "delete-email": ` ${email?.toUpperCase()} ` });
    expect([gone.status, textOf(gone)]).toEqual([200, expect.stringContaining("Account deleted")]);
    expect(user.cookies()).toBe("");
    expect(await open()).toEqual([401, "AuthorizationError"]);
    expect((await elsewhere.get(HERE)).status).toBe(303);
    expect([...rig.services.localBrowsers.all()].filter(({ accountId }) => accountId === id)).toEqual([]);
    const tables = readTables(rig);
    expect(JSON.stringify(tables)).not.toContain(email);
    expect(tables["accounts"]).toContainEqual(expect.objectContaining({ id, password: null, provider_key: null }));
    // The units remain in the ledger.
    expect((await rig.services.store.usage.days(id ?? "", new Date().toISOString().slice(0, 7)))[0]?.units).toBe(1);
  });

  test("frees the email address for a new account, which sees none of the old account's data", async () => {
    await change("plan", { plan: "team" });
    await open();
    await change("delete", confirmed());
    const { user: again, id: newId } = await rig.newMember(email ?? "");
    expect(newId).not.toBe(id);
    expect(textOf(await again.get(HERE))).toMatch(/Units used in \d{4}-\d\d \(UTC\): 0, including/);
    expect(await rig.services.store.usage.ended(newId, undefined, 10)).toEqual([]);
    expect(await open()).toEqual([401, "AuthorizationError"]);
  });

  test.each([
    [{ "delete-email": "somebody@else.example" }, "delete-email"],
    [{ "delete-email": "" }, "delete-email"],
    [{ "delete-password": "not this one at all" }, "delete-password"],
    [{ "delete-password": "" }, "delete-password"],
  ])("has no effect if the form contains %j", async (wrong, name) => {
    const { status, text } = await change("delete", { ...confirmed(), ...wrong });
    expect(status).toBe(400);
    expect(text).toMatch(new RegExp(`id="${name}-fault" role="alert"`));
    expect((await user.get(HERE)).status).toBe(200);
    expect(await rig.services.store.accounts.find(id ?? "")).toMatchObject({ email, isDisabled: false });
  });

  test("is refused for the last operator, and the page explains why", async () => {
    await rig.services.store.accounts.change(id ?? "", { isOperator: true });
    const page = await user.get(HERE);
    expect(page.text).not.toContain(`${HERE}/delete`);
    expect(textOf(page)).toContain("You can't delete this account because it is the last operator");
    const refused = await change("delete", confirmed());
    expect([refused.status, textOf(refused)]).toEqual([
      400,
      expect.stringContaining("Make another account an operator first"),
    ]);
    expect(await rig.services.store.accounts.find(id ?? "")).toMatchObject({ email, isDisabled: false });

    const { id: second } = await rig.newMember(`second-${email}`, { isOperator: true });
    expect((await change("delete", confirmed())).status).toBe(200);
    await rig.services.store.accounts.change(second, { isOperator: false });
  });
});

test("unknown results in the URL are not shown", async () => {
  for (const done of ["<script>", "unknown", "__proto__", "constructor"]) {
    const { text } = await user.get(`${HERE}?done=${encodeURIComponent(done)}`);
    expect(text).not.toContain("<script>");
    expect(text).not.toContain('role="status"');
  }
});
