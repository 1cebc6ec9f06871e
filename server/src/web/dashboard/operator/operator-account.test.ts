import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OperatorRig, readSecret, startOperatorRig } from "../../../../test/support/pages/operator-rig.ts";
import { newPageUser, signIn } from "../../../../test/support/pages/page-user.ts";

let rig: OperatorRig;

beforeAll(async () => {
  rig = await startOperatorRig();
});

afterAll(() => rig[Symbol.asyncDispose]());

describe("an account", () => {
  test("works with the password and the token that are shown once when it is created", async () => {
    const email = "made-here@example.com";
    await rig.operator.get("/operator/accounts/new");
    const made = await rig.operator.post("/operator/accounts/new", { email, plan: "self-hosted" });
    const token = readSecret(made, "rbs_");
    expect(await rig.call(token)).toBe(200);
    const password = readSecret(made);
    expect((await signIn(rig.url, email, password)).cookies()).not.toBe("");
    const { text } = await rig.operator.get(await rig.findPath(email));
    expect(text).not.toContain(token);
    expect(text).not.toContain(password);
  });

  test.each([
    [{ email: "no-address", plan: "none" }, "email", "&quot;no-address&quot; is not a valid email address."],
    [{ email: "operator@localhost", plan: "none" }, "email", "already exists."],
    [{ email: "no-plan@example.com", plan: "" }, "plan", "Choose a plan, or none."],
    [{ email: "plan@example.com", plan: "huge" }, "plan", "There is no plan &quot;huge&quot;"],
  ])("isn't created with %j: the field %s shows the error, and the form keeps the input", async (fields, at, words) => {
    await rig.operator.get("/operator/accounts/new");
    const { status, text } = await rig.operator.post("/operator/accounts/new", fields);
    expect(status).toBe(400);
    expect(text).toMatch(new RegExp(`id="${at}-fault" role="alert">[^<]*${words}`));
    expect(text).toContain(`value="${fields.email}"`);
  });

  test("has no preselected plan when it is created", async () => {
    const { text } = await rig.operator.get("/operator/accounts/new");
    const options = [...text.matchAll(/<option value="([^"]*)"\s*(selected)?/g)];
    expect(options.map(([, name, selected]) => [name, selected])).toEqual([
      ["", "selected"],
      ["none", undefined],
      ["self-hosted", undefined],
    ]);
    expect(text).toMatch(/<select[^>]*required/);
  });

  test.each(["none", "self-hosted"])(
    "is shown with its plan and the sign-in address when it is created: %s",
    async (plan) => {
      await rig.operator.get("/operator/accounts/new");
      const { text } = await rig.operator.post("/operator/accounts/new", { email: `${plan}@new.example`, plan });
      expect(text).toContain(`<dd>${plan}</dd>`);
      expect(text).toContain(`<a href="${rig.url.origin}/sign-in">`);
      expect(text.includes("can't open browsers until you assign a plan")).toBe(plan === "none");
    },
  );

  test("can be given a plan and its own limits, and both can be removed", async () => {
    const { email } = (await rig.newUser()).user;
    const saved = await rig.act(email, "terms", { plan: "self-hosted", parallel: "2", units: "0", additional: "on" });
    expect(saved.headers.get("location")).toMatch(/\?done=terms$/);
    const token = readSecret(await rig.act(email, "token"), "rbs_");
    await Promise.all([rig.open(token), rig.open(token)]);
    expect(await rig.refusedOpen(token)).toBe("BrowserLimit");
    const { text } = await rig.operator.get(`/operator?search=${email}`);
    expect(text).toContain("with 2 parallel browsers, 0 units");
    expect(text).toContain("2 of 0");
    await rig.act(email, "terms", { plan: "none", parallel: "", units: "" });
    expect(await rig.refusedOpen(token)).toBe("NoSubscription");
  });

  test.each([
    [{ plan: "self-hosted", parallel: "0", units: "" }, "1 or more, or leave this empty. &quot;0&quot; is not valid"],
    [
      { plan: "self-hosted", parallel: "", units: "1.5" },
      "0 or more, or leave this empty. &quot;1.5&quot; is not valid",
    ],
    [{ plan: "huge", parallel: "", units: "" }, "There is no plan &quot;huge&quot;"],
  ])("doesn't change when %j is entered", async (fields, words) => {
    const { email } = (await rig.newUser()).user;
    const { status, text } = await rig.act(email, "terms", fields);
    expect([status, text]).toEqual([400, expect.stringContaining(words)]);
    expect((await rig.operator.get(`/operator?search=${email}`)).text).toMatch(/data-name="Plan">\s*none\s*<\/td>/);
  });

  test("loses its browsers when it is disabled, and can't use its tokens or sign in until it is enabled", async () => {
    const { user, password, token } = await rig.newMember();
    const answer = await rig.act(user.email, "disable");
    expect(answer.headers.get("location")).toMatch(/\?done=disabled$/);
    const { text } = await rig.operator.get("/operator");
    expect(text).not.toMatch(new RegExp(`${user.email}[\\s\\S]{0,900}/close`));
    expect(await rig.call(token)).toBe(401);
    expect((await user.get("/dashboard")).status).toBe(303);
    const again = newPageUser(rig.url, user.email);
    expect((await again.post("/sign-in", { email: user.email, password })).status).toBe(401);
    await rig.act(user.email, "enable");
    expect(await rig.call(token)).toBe(200);
    expect(await rig.listed(token)).toEqual([]);
    // The user has to sign in again.
    expect((await user.get("/dashboard")).status).toBe(303);
    expect((await again.post("/sign-in", { email: user.email, password })).status).toBe(303);
  });

  test("is signed out when its password is reset, and only the new password works", async () => {
    const { user, password: old } = await rig.newUser();
    const password = readSecret(await rig.act(user.email, "password"));
    expect((await user.get("/dashboard")).status).toBe(303);
    await expect(signIn(rig.url, user.email, old)).rejects.toThrow("returned 401");
    expect((await signIn(rig.url, user.email, password)).cookies()).not.toBe("");
  });

  test.each(["password", "token", "give-rights", "take-rights"])(
    "isn't changed by %s without the operator's own password",
    async (action) => {
      const { user, password, token } = await rig.newUser();
      const isOperator = action === "take-rights";
      if (isOperator) await rig.act(user.email, "give-rights");
      const { status, text } = await rig.act(user.email, action, { password });
      expect(status).toBe(400);
      expect(text).toMatch(new RegExp(`id="password-for-${action}-fault" role="alert">The password is incorrect`));
      expect(await rig.call(token)).toBe(200);
      expect((await user.get("/operator")).status).toBe(isOperator ? 200 : 404);
      expect((await signIn(rig.url, user.email, password)).cookies()).not.toBe("");
    },
  );

  test("loses all other tokens when an operator creates a new token", async () => {
    const { user, token } = await rig.newMember();
    const renewed = readSecret(await rig.act(user.email, "token"), "rbs_");
    expect(await Promise.all([rig.call(token), rig.call(renewed)])).toEqual([401, 200]);
    expect((await user.get("/dashboard/tokens")).text).toContain("from the operator");
  });

  test("returns 404 if it doesn't exist", async () => {
    const { status, text } = await rig.operator.get("/operator/accounts/unknown");
    expect([status, text]).toEqual([404, expect.stringContaining("This account no longer exists.")]);
  });
});

describe("operator rights", () => {
  test("give access to the operator page until they are removed", async () => {
    const { user } = await rig.newUser();
    await rig.act(user.email, "give-rights");
    expect((await user.get("/operator")).status).toBe(200);
    await rig.act(user.email, "take-rights");
    expect((await user.get("/operator")).status).toBe(404);
  });

  test.each(["disable", "take-rights", "password"])("operators can't %s their own account", async (action) => {
    const { status, text } = await rig.act(rig.operator.email, action);
    expect([status, text]).toEqual([400, expect.stringContaining("to your own account")]);
    expect((await rig.operator.get("/operator")).status).toBe(200);
  });
});
