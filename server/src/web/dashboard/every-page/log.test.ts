import { expect, test } from "vitest";
import { startDashboardRig } from "../../../../test/support/pages/dashboard-rig.ts";
import { OPTIONS } from "../../../../test/support/servers/services-rig.ts";
import { newPageUser, PASSWORD, signIn, signUp } from "../../../../test/support/pages/page-user.ts";

const NEW_PASSWORD = "another sentence entirely";

test("the log records account actions by account id, without email addresses or secrets", async () => {
  await using rig = await startDashboardRig();
  const user = await signUp(rig.url);
  const { email } = user;
  const { id } = (await rig.services.accounts.list()).find((one) => one.email === email) ?? {};
  const visitor = newPageUser(rig.url);
  await visitor.get("/sign-in");
  await visitor.post("/sign-in", { email, password: "a sentence that isn't the password" });
  await user.get("/dashboard/settings");
  await user.post("/dashboard/settings/plan", { plan: "self-hosted" });
  await user.get("/dashboard/settings");
  await user.post("/dashboard/settings/password", {
    "current-password": PASSWORD,
    "new-password": NEW_PASSWORD,
  });
  const again = await signIn(rig.url, email, NEW_PASSWORD);
  await again.get("/dashboard/settings");
  await again.post("/dashboard/settings/delete", { "delete-email": email, "delete-password": NEW_PASSWORD });

  const logged = rig.log.lines.filter(({ event }) => /^(user|account)\./.test(event));
  expect(logged).toEqual([
    { event: "account.signed_up", facts: { account: id } },
    { event: "user.signed_in", facts: { account: id } },
    { event: "user.sign_in_refused", facts: { requestId: expect.any(String) } },
    { event: "account.plan_changed", facts: { account: id, plan: "self-hosted" } },
    { event: "account.password_changed", facts: { account: id } },
    { event: "user.signed_in", facts: { account: id } },
    { event: "account.erased", facts: { account: id } },
  ]);
  expect(rig.log.text()).not.toContain(email);
  expect(rig.log.text()).not.toMatch(/sentence/);
});

test("the log records token and browser events with the account's id", async () => {
  await using rig = await startDashboardRig();
  const { id } = await rig.newMember("anna@example.com");
  const account = await rig.accountOf(id);
  const { auth, localBrowsers } = rig.services;
  const secrets = [await auth.tokens.add(account, "one")];
  const entry = (await auth.tokens.list(account)).find(({ name }) => name === "one");
  secrets.push(await auth.tokens.renew(account, entry?.id ?? "", entry?.prefix ?? ""));
  await auth.tokens.revoke(account, entry?.id ?? "");
  const disconnected = new AbortController().signal;
  const browser = await localBrowsers.openNew({ account, options: OPTIONS, base: rig.url, disconnected });
  await browser.close("requested");

  const logged = rig.log.lines.filter(({ facts }) => facts?.["account"] === id).map(({ event }) => event);
  expect(logged).toEqual([
    "user.signed_in",
    "token.created",
    "token.renewed",
    "token.revoked",
    "browser.opened",
    "browser.closed",
  ]);
  for (const secret of secrets) expect(rig.log.text()).not.toContain(secret);
});
