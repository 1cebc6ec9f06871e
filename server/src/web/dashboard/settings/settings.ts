import { html } from "hono/html";
import { AccountError } from "../../../services/accounts/errors.ts";
import type { Accounts } from "../../../services/accounts/accounts.ts";
import type { ProviderKeys } from "../../../services/accounts/provider-keys.ts";
import type { Sessions } from "../../../services/sign-in/sessions.ts";
import type { SignIn } from "../../../services/sign-in/sign-in.ts";
import type { Subscriptions } from "../../../services/accounts/subscriptions.ts";
import type { Guards } from "../../kit/guards.ts";
import type { UserContext } from "../../kit/page-context.ts";
import type { PageCookie } from "../../kit/session-cookie.ts";
import type { SettingsFaults } from "./settings-account-view.ts";
import { renderSettings, type SettingsOutcome } from "./settings-view.ts";

export type SettingsNeeds = {
  readonly accounts: Pick<Accounts, "isLastOperator">;
  readonly subscriptions: Subscriptions;
  readonly providerKeys: ProviderKeys;
  readonly signIn: SignIn;
  readonly sessions: Pick<Sessions, "endOthers">;
  readonly cookie: PageCookie;
  readonly knownCookie: PageCookie;
};

const PATH = "/dashboard/settings";

const toDone = (word: string): string => `${PATH}?done=${word}`;

/** The user's own account: plan, additional units, provider key, password, sessions, deletion. */
export function mountSettings({ anyone, user }: Guards, needs: SettingsNeeds): void {
  const { accounts, subscriptions, providerKeys, signIn, sessions, cookie, knownCookie } = needs;

  async function show(context: UserContext, outcome: SettingsOutcome): Promise<Response> {
    const { account, frame } = context;
    const state = {
      subscription: await subscriptions.read(account),
      hasOwnKey: await providerKeys.hasOwn(account),
      hasDeploymentsKey: providerKeys.mayUseDeploymentsKey(account),
      isLastOperator: await accounts.isLastOperator(account),
    };
    const main = renderSettings(frame, account, state, outcome);
    const page = { title: "Settings", current: PATH, styles: ["dashboard/settings/settings.css"], main };
    return context.show(page, outcome.faults === undefined ? 200 : 400);
  }

  /** Redirects to the path that `act` returns, or shows its `AccountError` at a field. */
  async function orFault(
    context: UserContext,
    toField: (error: AccountError) => keyof SettingsFaults,
    act: () => Promise<string>,
    entered: Pick<SettingsOutcome, "enteredEmail"> = {},
  ): Promise<Response> {
    try {
      return context.goTo(await act());
    } catch (error) {
      if (!(error instanceof AccountError)) throw error;
      return show(context, { faults: { [toField(error)]: error.message }, ...entered });
    }
  }

  user.get(PATH, (context) => show(context, { done: context.c.req.query("done") }));

  user.post(`${PATH}/plan`, (context, form) =>
    orFault(
      context,
      () => "plan",
      async () => {
        if (!form.isOn("plan")) throw new AccountError("Choose one of the plans on this page.");
        const name = form.text("plan");
        await subscriptions.choose(context.account, name === "" ? undefined : name);
        return toDone(name === "" ? "no-plan" : "plan");
      },
    ),
  );

  user.post(`${PATH}/additional-units`, async (context, form) => {
    const isOn = form.text("additional-units") === "on";
    await subscriptions.setAdditionalUnits(context.account, isOn);
    return context.goTo(toDone(isOn ? "additional-on" : "additional-off"));
  });

  user.post(`${PATH}/provider-key`, (context, form) =>
    orFault(
      context,
      () => "provider-key",
      async () => {
        await providerKeys.set(context.account, form.text("provider-key"));
        return toDone("key");
      },
    ),
  );

  user.post(`${PATH}/provider-key/remove`, async (context) => {
    await providerKeys.remove(context.account);
    return context.goTo(toDone("no-key"));
  });

  user.post(`${PATH}/password`, (context, form) =>
    orFault(
      context,
      ({ field }) => (field === "newPassword" ? "new-password" : "current-password"),
      async () => {
        const { account, c } = context;
        const [current, newPassword] = [form.text("current-password"), form.text("new-password")];
        cookie.write(c, await signIn.changePassword(account, current, newPassword, cookie.read(c)));
        return toDone("password");
      },
    ),
  );

  user.post(`${PATH}/sessions`, async (context) => {
    await sessions.endOthers(context.account, context.secret);
    return context.goTo(toDone("sessions"));
  });

  user.post(`${PATH}/delete`, (context, form) => {
    const [email, password] = [form.text("delete-email"), form.text("delete-password")];
    return orFault(
      context,
      ({ field }) => (field === "password" ? "delete-password" : "delete-email"),
      async () => {
        await signIn.deleteAccount(context.account, { email, password });
        cookie.clear(context.c);
        knownCookie.clear(context.c);
        return "/account-deleted";
      },
      { enteredEmail: email },
    );
  });

  anyone.get("/account-deleted", (context) =>
    context.show({
      title: "Account deleted",
      main: html`<section class="narrow card">
        <h1>Account deleted</h1>
        <p>Your browsers have been closed, your tokens no longer work, and your personal data has been erased.</p>
        <p><a class="button" href="${context.frame.to("/")}">Back to the start page</a></p>
      </section>`,
    }),
  );
}
