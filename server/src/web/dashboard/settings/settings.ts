import { html } from "hono/html";
import type { Log } from "../../../ports/log.ts";
import type { Attempts } from "../../kit/attempts.ts";
import type { SessionCookie } from "../../kit/session-cookie.ts";
import { AccountError } from "../../../services/accounts/account-error.ts";
import type { AccountRemoval } from "../../../services/accounts/account-removal.ts";
import type { Passwords } from "../../../services/accounts/passwords.ts";
import type { ProviderKeys } from "../../../services/accounts/provider-keys.ts";
import type { Sessions } from "../../../services/accounts/sessions.ts";
import type { Subscriptions } from "../../../services/accounts/subscriptions.ts";
import type { Guards } from "../../kit/guards.ts";
import { newSession } from "../../kit/new-session.ts";
import type { SettingsFaults } from "./settings-field.ts";
import { renderSettings, type SettingsOutcome } from "./settings-view.ts";
import type { MemberContext } from "../../kit/page-context.ts";

export type SettingsNeeds = {
  readonly subscriptions: Subscriptions;
  readonly providerKeys: ProviderKeys;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly removal: AccountRemoval;
  readonly attempts: Attempts;
  readonly cookie: SessionCookie;
  readonly log: Pick<Log, "info">;
};

const HERE = "/dashboard/settings";
const WRONG_PASSWORD = "This is not the account's password: capital letters count in it.";

const toDone = (word: string): string => `${HERE}?done=${word}`;

/** What an account's owner decides about it, its end included. */
export function mountSettings({ anyone, member }: Guards, needs: SettingsNeeds): void {
  const { subscriptions, providerKeys, passwords, sessions, removal, attempts, cookie, log } = needs;

  async function show(context: MemberContext, outcome: SettingsOutcome): Promise<Response> {
    const { account, frame } = context;
    const standing = {
      subscription: await subscriptions.read(account),
      hasOwnKey: await providerKeys.hasOwn(account),
      hasDeploymentsKey: providerKeys.isDeploymentsThere,
      isLastOperator: await removal.isLastOperator(account),
    };
    const main = renderSettings(frame, account, standing, outcome);
    const page = { title: "Settings", current: HERE, styles: ["dashboard/settings/settings.css"], main };
    return context.show(page, outcome.faults === undefined ? 200 : 400);
  }

  /** What somebody got wrong stands at its field, and nothing else has happened. @param act Tells where to go on to. */
  async function orFault(
    context: MemberContext,
    field: keyof SettingsFaults,
    act: () => Promise<string>,
  ): Promise<Response> {
    try {
      return context.goTo(await act());
    } catch (error) {
      if (!(error instanceof AccountError)) throw error;
      return show(context, { faults: { [field]: error.message } });
    }
  }

  async function isPassword({ account }: MemberContext, password: string): Promise<boolean> {
    await attempts.takeCheck(account.id);
    return passwords.check(account, password);
  }

  member.get(HERE, (context) => show(context, { done: context.c.req.query("done") }));

  member.post(`${HERE}/plan`, (context, form) =>
    orFault(context, "plan", async () => {
      if (!form.isOn("plan")) throw new AccountError("Choose one of those on the page.");
      const name = form.text("plan");
      await subscriptions.choose(context.account, name === "" ? undefined : name);
      log.info("account.plan_changed", { account: context.account.id, plan: name === "" ? "none" : name });
      return toDone(name === "" ? "no-plan" : "plan");
    }),
  );

  member.post(`${HERE}/additional-units`, async (context, form) => {
    const isOn = form.text("additional-units") === "on";
    await subscriptions.setAdditionalUnits(context.account, isOn);
    return context.goTo(toDone(isOn ? "additional-on" : "additional-off"));
  });

  member.post(`${HERE}/provider-key`, (context, form) =>
    orFault(context, "provider-key", async () => {
      await providerKeys.set(context.account, form.text("provider-key"));
      return toDone("key");
    }),
  );

  member.post(`${HERE}/provider-key/remove`, async (context) => {
    await providerKeys.remove(context.account);
    return context.goTo(toDone("no-key"));
  });

  member.post(`${HERE}/password`, async (context, form) => {
    if (!(await isPassword(context, form.text("current-password"))))
      return show(context, { faults: { "current-password": WRONG_PASSWORD } });
    return orFault(context, "new-password", async () => {
      const wanted = form.text("new-password");
      if (wanted === form.text("current-password"))
        throw new AccountError("This is the present password: choose another.");
      await passwords.change(context.account, wanted);
      log.info("account.password_changed", { account: context.account.id });
      await sessions.endAll(context.account);
      await newSession(context.c, context.account, needs);
      return toDone("password");
    });
  });

  member.post(`${HERE}/sessions`, async (context) => {
    await sessions.endAll(context.account, context.secret);
    return context.goTo(toDone("sessions"));
  });

  member.post(`${HERE}/delete`, async (context, form) => {
    const { account, c } = context;
    const enteredEmail = form.text("delete-email");
    if (enteredEmail.trim().toLowerCase() !== account.email.toLowerCase()) {
      const fault = `This is not the e-mail address of this account, which is ${account.email}.`;
      return show(context, { faults: { "delete-email": fault }, enteredEmail });
    }
    if (!(await isPassword(context, form.text("delete-password"))))
      return show(context, { faults: { "delete-password": WRONG_PASSWORD }, enteredEmail });
    return orFault(context, "delete-email", async () => {
      await removal.erase(account);
      log.info("account.erased", { account: account.id });
      cookie.clear(c);
      return "/account-deleted";
    });
  });

  anyone.get("/account-deleted", (context) =>
    context.show({
      title: "The account is deleted",
      main: html`<section class="narrow card">
        <h1>The account is deleted</h1>
        <p>Its browsers have ended, its tokens work no more, and what told of you is erased.</p>
        <p><a class="button" href="${context.frame.to("/")}">Back to the start</a></p>
      </section>`,
    }),
  );
}
