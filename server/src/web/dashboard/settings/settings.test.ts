import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type FakeSite, readTables, startFakeSite } from "../../../../test/support/fake-site.ts";
import { newPerson, PASSWORD, type Person, type Seen, signIn } from "../../../../test/support/person.ts";

const KEY = "sk-canary-of-somebody-0123456789";
const PLANS = {
  starter: { parallel: 2, unitsPerMonth: 1, maxLifetimeMinutes: 60, selfService: true },
  team: { parallel: 20, selfService: true },
  special: { parallel: 50, unitsPerMonth: 7 },
};
const HERE = "/dashboard/settings";

let folder: string;
let site: FakeSite;
let made = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rbs-test-"));
  const file = join(folder, "plans.json");
  await writeFile(file, JSON.stringify(PLANS));
  site = await startFakeSite({ RBS_PLANS: file });
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

let [email, id, token]: string[] = [];
let person: Person;

beforeEach(async () => {
  made += 1;
  email = `person${made}@example.com`;
  ({ person, token, id } = await site.newMember(email));
  await site.services.store.accounts.change(id, { plan: null });
});

async function change(path: string, fields: Record<string, string> = {}): Promise<Seen> {
  const answer = await person.post(`${HERE}/${path}`, fields);
  return answer.status === 303 ? person.get(answer.headers.get("location") ?? "") : answer;
}

async function open(with_ = token): Promise<readonly [number, string]> {
  const init = { method: "POST", headers: { Authorization: `Bearer ${with_}`, "Content-Type": "application/json" } };
  const answer = await fetch(new URL("/api/v1/Browser/Open", site.url), { ...init, body: "{}" });
  const { name = "", address = "" } = (await answer.json()) as { name?: string; address?: string };
  return [answer.status, answer.status === 200 ? address : name];
}

/** What stands on a page, without the markup. */
const words = ({ text }: Seen): string =>
  text
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&#39;", "'")
    .replaceAll(/\s+/g, " ");

describe("the plan", () => {
  test("is chosen among those for everybody, and Open follows: 402, then 200, then 403 past its units", async () => {
    const before = await person.get(HERE);
    expect(words(before)).toContain(
      "This account has no plan: no browser can be opened (Open answers 402) until you choose one.",
    );
    expect(before.text).not.toContain("special");
    expect(await open()).toEqual([402, "NoSubscription"]);

    const saved = await change("plan", { plan: "starter" });
    expect(words(saved)).toMatch(
      /The plan is saved.*the plan starter .*Browsers at once 2 Units a month \(UTC\) 1 .*60 minutes/,
    );
    expect((await open())[0]).toBe(200);
    expect(await open()).toEqual([403, "NoUnits"]);

    expect(words(await change("plan", { plan: "" }))).toContain(
      "This account has no plan now: no browser can be opened (Open answers 402).",
    );
    expect(await open()).toEqual([402, "NoSubscription"]);
  });

  test("none is chosen beforehand for who has none, and no plan can be left by nobody but who has one", async () => {
    const before = await person.get(HERE);
    expect(before.text).not.toMatch(/name="plan"[^>]*checked/);
    expect(words(before)).not.toContain("No plan");
    const after = await change("plan", { plan: "starter" });
    expect(after.text).toMatch(/id="plan-starter"[^>]*checked/);
    expect(words(after)).toContain("No plan");
  });

  test.each(["special", "self-hosted", "nothing", "<script>"])(
    "%j is nobody's to choose, and the page says so",
    async (plan) => {
      const { status, text } = await change("plan", { plan });
      expect(status).toBe(400);
      expect(text).toMatch(/role="alert"[^>]*>There is no plan/);
      expect(text).not.toContain("<script>");
      expect((await site.services.store.accounts.find(id ?? ""))?.plan).toBeUndefined();
    },
  );

  test("stays as it is when a form says nothing of it", async () => {
    await change("plan", { plan: "team" });
    expect((await change("plan")).status).toBe(400);
    expect((await site.services.store.accounts.find(id ?? ""))?.plan).toBe("team");
  });

  test.each([
    ["a plan of the operator's", { plan: "special" }, /the plan special .*7/],
    [
      "limits of its own",
      { plan: "starter", parallel: 1, units: 3 },
      /1 set for this account .*3 set for this account/,
    ],
  ])("that the operator has set can't be left, so that no limit is got rid of: %s", async (_, set, shown) => {
    await site.services.store.accounts.change(id ?? "", set);
    const page = await person.get(HERE);
    expect(words(page)).toMatch(shown);
    expect(words(page)).toContain("The operator of this server has set this account's plan or limits");
    expect(page.text).not.toContain(`${HERE}/plan`);
    const refused = await change("plan", { plan: "team" });
    expect([refused.status, words(refused)]).toEqual([
      400,
      expect.stringContaining("ask the operator for another plan"),
    ]);
    expect(await site.services.store.accounts.find(id ?? "")).toMatchObject(set);
  });
});

test("additional units let Open go on, the page tells how many, and off stops it again", async () => {
  await change("plan", { plan: "starter" });
  expect((await open())[0]).toBe(200);
  expect((await open())[0]).toBe(403);
  expect(words(await person.get(HERE))).toMatch(/Units used in \d{4}-\d\d \(UTC\): 1 of 1,/);
  const on = await change("additional-units", { "additional-units": "on" });
  expect(words(on)).toContain("Additional units are on.");
  expect((await open())[0]).toBe(200);
  expect(words(await person.get(HERE))).toMatch(/Units used in \d{4}-\d\d \(UTC\): 2 of 1, 1 of them additional/);
  expect(words(await change("additional-units", { "additional-units": "off" }))).toContain("Additional units are off.");
  expect((await open())[0]).toBe(403);
});

describe("the provider's key", () => {
  test("is set, replaced and removed, and not a part of it is ever shown", async () => {
    const seen: Seen[] = [await person.get(HERE)];
    expect(words(await person.get(HERE))).toContain("queries are refused (503) until you set one of your own");
    seen.push(await change("provider-key", { "provider-key": KEY }), await person.get(HERE));
    expect(words(await person.get(HERE))).toContain("your own is set");
    seen.push(await change("provider-key", { "provider-key": `${KEY}-2` }));
    const account = await site.accountOf(id ?? "");
    expect(await site.services.auth.providerKeys.find(account)).toBe(`${KEY}-2`);
    seen.push(await change("provider-key/remove"));
    expect(words(await person.get(HERE))).toContain("not set");
    expect(await site.services.auth.providerKeys.hasOwn(account)).toBe(false);
    for (const { text, headers } of seen)
      for (let at = 0; at + 6 <= KEY.length; at += 1)
        expect(text + JSON.stringify([...headers])).not.toContain(KEY.slice(at, at + 6));
  });

  test("is asked for in a field that browsers neither show nor remember", async () => {
    const { text } = await person.get(HERE);
    const [field = ""] = /<input[^>]*name="provider-key"[^>]*>/.exec(text) ?? [];
    expect(field).toMatch(/type="password"/);
    expect(field).toMatch(/autocomplete="off"/);
    expect(field).not.toContain("value");
  });

  test.each(["", "  ", "two words", "ключ", "k".repeat(513), "line\nbreak", "nul\u0000"])(
    "can't be %j, which is not shown again",
    async (key) => {
      const { status, text } = await change("provider-key", { "provider-key": key });
      expect(status).toBe(400);
      expect(text).toMatch(/id="provider-key-fault" role="alert">A provider.+s key has 1 to 512/);
      expect(readTables(site)["accounts"]).toContainEqual(expect.objectContaining({ email, provider_key: null }));
    },
  );
});

describe("the password", () => {
  const NEW = "quite another sentence";

  test("is changed by who knows the present one, and the old one leads nowhere", async () => {
    const done = await change("password", { "current-password": PASSWORD, "new-password": NEW });
    expect(words(done)).toContain("The password is changed");
    const stranger = newPerson(site.url);
    expect((await stranger.post("/sign-in", { email, password: PASSWORD })).status).toBe(401);
    expect((await stranger.post("/sign-in", { email, password: NEW })).status).toBe(303);
  });

  test.each([
    [{ "current-password": "not this one at all", "new-password": NEW }, "current-password"],
    [{ "current-password": "", "new-password": NEW }, "current-password"],
    [{ "current-password": PASSWORD, "new-password": PASSWORD }, "new-password"],
    [{ "current-password": PASSWORD, "new-password": "short" }, "new-password"],
    [{ "current-password": PASSWORD, "new-password": "aaaaaaaaaaaaaaaa" }, "new-password"],
  ])("stays when %j is sent, which is told at its field and shown to nobody", async (fields, name) => {
    const elsewhere = await signIn(site.url, email ?? "", PASSWORD);
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

  test("ends its browsers, tokens and sessions at once, and nothing that tells of its owner stays", async () => {
    await change("plan", { plan: "team" });
    await change("provider-key", { "provider-key": KEY });
    const elsewhere = await signIn(site.url, email ?? "", PASSWORD);
    expect((await open())[0]).toBe(200);
    const gone = await change("delete", { ...confirmed(), "delete-email": ` ${email?.toUpperCase()} ` });
    expect([gone.status, words(gone)]).toEqual([200, expect.stringContaining("The account is deleted")]);
    expect(person.cookies()).toBe("");
    expect(await open()).toEqual([401, "AuthorizationError"]);
    expect((await elsewhere.get(HERE)).status).toBe(303);
    expect([...site.services.browsers.all()].filter(({ accountId }) => accountId === id)).toEqual([]);
    const books = readTables(site);
    expect(JSON.stringify(books)).not.toContain(email);
    expect(books["accounts"]).toContainEqual(expect.objectContaining({ id, password: null, provider_key: null }));
    // What was consumed stays on record.
    expect((await site.services.store.usage.days(id ?? "", new Date().toISOString().slice(0, 7)))[0]?.units).toBe(1);
  });

  test("leaves the e-mail free for a new account, which sees nothing of the old one", async () => {
    await change("plan", { plan: "team" });
    await open();
    await change("delete", confirmed());
    const { person: again, id: newId } = await site.newMember(email ?? "");
    expect(newId).not.toBe(id);
    expect(words(await again.get(HERE))).toMatch(/Units used in \d{4}-\d\d \(UTC\): 0,/);
    expect(await site.services.store.usage.ended(newId, undefined, 10)).toEqual([]);
    expect(await open()).toEqual([401, "AuthorizationError"]);
  });

  test.each([
    [{ "delete-email": "somebody@else.example" }, "delete-email"],
    [{ "delete-email": "" }, "delete-email"],
    [{ "delete-password": "not this one at all" }, "delete-password"],
    [{ "delete-password": "" }, "delete-password"],
  ])("with %j does nothing", async (wrong, name) => {
    const { status, text } = await change("delete", { ...confirmed(), ...wrong });
    expect(status).toBe(400);
    expect(text).toMatch(new RegExp(`id="${name}-fault" role="alert"`));
    expect((await person.get(HERE)).status).toBe(200);
    expect(await site.services.store.accounts.find(id ?? "")).toMatchObject({ email, isDisabled: false });
  });

  test("is not for the last operator, who is told why", async () => {
    await site.services.store.accounts.change(id ?? "", { isOperator: true });
    const page = await person.get(HERE);
    expect(page.text).not.toContain(`${HERE}/delete`);
    expect(words(page)).toContain("This is the last operator's account, so it can't be deleted");
    const refused = await change("delete", confirmed());
    expect([refused.status, words(refused)]).toEqual([
      400,
      expect.stringContaining("give the rights to another first"),
    ]);
    expect(await site.services.store.accounts.find(id ?? "")).toMatchObject({ email, isDisabled: false });

    const { id: second } = await site.newMember(`second-${email}`, { isOperator: true });
    expect((await change("delete", confirmed())).status).toBe(200);
    await site.services.store.accounts.change(second, { isOperator: false });
  });
});

test("nothing of the query is shown as what was done", async () => {
  for (const done of ["<script>", "unknown", "__proto__", "constructor"]) {
    const { text } = await person.get(`${HERE}?done=${encodeURIComponent(done)}`);
    expect(text).not.toContain("<script>");
    expect(text).not.toContain('role="status"');
  }
});
