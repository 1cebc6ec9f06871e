import { html } from "hono/html";
import { AccountError } from "../../../services/accounts/errors.ts";
import { orAccountError } from "../../kit/errors.ts";
import type { Form } from "../../kit/form.ts";
import type { Guards } from "../../kit/guards.ts";
import type { UserContext } from "../../kit/page-context.ts";
import type { SettingsFaults } from "./settings-account-view.ts";
import { renderSettings, type SettingsOutcome } from "./settings-view.ts";
import type { PageServices } from "../../kit/page-services.ts";

const PATH = "/dashboard/settings";

const toDone = (word: string): string => `${PATH}?done=${word}`;

/** Mounts the settings page: plan, additional units, provider key, password, sessions and account deletion. */
export function mountSettings({ anyone, user }: Guards, services: PageServices): void {
  const { accounts, subscriptions, providerKeys, signIn, sessions, cookie, knownCookie } = services;

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

  /**
   * Mounts a form's route.
   * @param field The field that shows an `AccountError`.
   * @param act Handles the form and returns the path to redirect to.
   */
  function post(
    name: string,
    field: keyof SettingsFaults | ((error: AccountError) => keyof SettingsFaults),
    act: (context: UserContext, form: Form) => Promise<string>,
  ): void {
    user.post(`${PATH}/${name}`, async (context, form) => {
      const next = await orAccountError(act(context, form));
      if (!(next instanceof AccountError)) return context.goTo(next);
      const faults = { [typeof field === "string" ? field : field(next)]: next.message };
      return show(context, { faults, enteredEmail: form.text("delete-email") });
    });
  }

  user.get(PATH, (context) => show(context, { done: context.c.req.query("done") }));

  post("plan", "plan", async ({ account }, form) => {
    if (!form.isOn("plan")) throw new AccountError("Choose one of the plans on this page.");
    const name = form.text("plan");
    await subscriptions.choose(account, name === "" ? undefined : name);
    return toDone(name === "" ? "no-plan" : "plan");
  });

  user.post(`${PATH}/additional-units`, async (context, form) => {
    const isOn = form.text("additional-units") === "on";
    await subscriptions.setAdditionalUnits(context.account, isOn);
    return context.goTo(toDone(isOn ? "additional-on" : "additional-off"));
  });

  post("provider-key", "provider-key", async ({ account }, form) => {
    await providerKeys.set(account, form.text("provider-key"));
    return toDone("key");
  });

  user.post(`${PATH}/provider-key/remove`, async (context) => {
    await providerKeys.remove(context.account);
    return context.goTo(toDone("no-key"));
  });

  const toPasswordField = ({ field }: AccountError) => (field === "newPassword" ? "new-password" : "current-password");
  post("password", toPasswordField, async ({ account, c }, form) => {
    const [current, newPassword] = [form.text("current-password"), form.text("new-password")];
    cookie.write(c, await signIn.changePassword(account, current, newPassword, cookie.read(c)));
    return toDone("password");
  });

  user.post(`${PATH}/sessions`, async (context) => {
    await sessions.endOthers(context.account, context.secret);
    return context.goTo(toDone("sessions"));
  });

  const toDeleteField = ({ field }: AccountError) => (field === "password" ? "delete-password" : "delete-email");
  post("delete", toDeleteField, async ({ account, c }, form) => {
    await signIn.deleteAccount(account, { email: form.text("delete-email"), password: form.text("delete-password") });
    cookie.clear(c);
    knownCookie.clear(c);
    return "/account-deleted";
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
