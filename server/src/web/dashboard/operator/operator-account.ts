import type { Context } from "hono";
import type { Plans } from "../../../domain/account/plan.ts";
import { PageError } from "../../kit/errors.ts";
import { AccountError } from "../../../services/accounts/account-error.ts";
import type { AccountDesk } from "../../../services/accounts/account-desk.ts";
import type { AccountReport } from "../../../services/accounts/accounts.ts";
import type { Guards } from "../../kit/guards.ts";
import { renderAccount } from "./operator-account-view.ts";
import { renderNewSecret } from "./operator-secrets-view.ts";
import { readTerms, type TermsEntered, toEntered } from "./operator-terms.ts";
import type { MemberContext } from "../../kit/page-context.ts";

export type AccountNeeds = {
  readonly desk: AccountDesk;
  readonly plans: Plans;
  /** What addresses that a person opens begin with. */
  readonly baseOf: (c: Context) => URL;
};

const STYLES = ["dashboard/operator/operator.css"];

/** One account, and what an operator does with it. */
export function mountOperatorAccount({ operator }: Guards, { desk, plans }: AccountNeeds): void {
  const show = (context: MemberContext, account: AccountReport, entered?: TermsEntered): Promise<Response> => {
    const { frame, c } = context;
    const done = entered === undefined ? c.req.query("done") : undefined;
    const isOwn = account.id === context.account.id;
    const main = renderAccount(frame, { account, isOwn, plans, done, entered: entered ?? toEntered(account) });
    const page = { title: account.email, current: "/operator", main, styles: STYLES };
    return context.show(page, entered === undefined ? 200 : 400);
  };

  operator.get("/operator/accounts/:id", async (context) => show(context, await find(context, desk)));

  operator.post("/operator/accounts/:id/terms", async (context, form) => {
    const account = await find(context, desk);
    const { terms, entered } = readTerms(form, account, plans);
    if (terms === undefined) return show(context, account, entered);
    await desk.changeTerms(context.account, account.id, terms);
    return context.goTo(`/operator/accounts/${account.id}?done=terms`);
  });

  const act = (name: string, done: string, work: (context: MemberContext, id: string) => Promise<void>): void =>
    operator.post(`/operator/accounts/:id/${name}`, async (context) => {
      const { id } = await find(context, desk);
      await work(context, id);
      return context.goTo(`/operator/accounts/${id}?done=${done}`);
    });
  act("disable", "disabled", ({ account }, id) => desk.disable(account, id));
  act("enable", "enabled", ({ account }, id) => desk.enable(account, id));
  act("give-rights", "given", ({ account }, id) => desk.setRights(account, id, true));
  act("take-rights", "taken", ({ account }, id) => desk.setRights(account, id, false));

  operator.post("/operator/accounts/:id/password", async (context) => {
    const { id, email } = await find(context, desk);
    const secrets = { password: await desk.resetPassword(context.account, id) };
    const main = renderNewSecret(context.frame, { id, email, title: "A new password", ...secrets });
    return context.show({ title: "A new password", current: "/operator", main, styles: STYLES });
  });

  operator.post("/operator/accounts/:id/token", async (context) => {
    const { id, email } = await find(context, desk);
    const secrets = { token: await desk.renewToken(context.account, id) };
    const main = renderNewSecret(context.frame, { id, email, title: "A new token", ...secrets });
    return context.show({ title: "A new token", current: "/operator", main, styles: STYLES });
  });
}

async function find(context: MemberContext, desk: AccountDesk): Promise<AccountReport> {
  try {
    return await desk.find(context.c.req.param("id") ?? "");
  } catch (error) {
    if (!(error instanceof AccountError)) throw error;
    throw new PageError(404, "No such account", error.message, { cause: error });
  }
}
