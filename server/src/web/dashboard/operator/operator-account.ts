import type { Context } from "hono";
import type { Plans } from "../../../domain/account/plan.ts";
import { PageError } from "../../kit/errors.ts";
import type { AccountReport } from "../../../ports/account-store.ts";
import { AccountError } from "../../../services/accounts/errors.ts";
import type { Operators } from "../../../services/accounts/operators.ts";
import type { Guards } from "../../kit/guards.ts";
import { renderAccount } from "./operator-account-view.ts";
import { renderNewSecret } from "./operator-secrets-view.ts";
import { readTerms, type TermsEntered, toEntered } from "./operator-terms.ts";
import type { UserContext } from "../../kit/page-context.ts";

export type AccountNeeds = {
  readonly operators: Operators;
  readonly plans: Plans;
  /** The base URL of the pages. */
  readonly baseOf: (c: Context) => URL;
};

const STYLES = ["dashboard/operator/operator.css"];

export function mountOperatorAccount({ operator }: Guards, { operators, plans }: AccountNeeds): void {
  const show = (context: UserContext, account: AccountReport, entered?: TermsEntered): Promise<Response> => {
    const { frame, c } = context;
    const done = entered === undefined ? c.req.query("done") : undefined;
    const isOwn = account.id === context.account.id;
    const main = renderAccount(frame, { account, isOwn, plans, done, entered: entered ?? toEntered(account) });
    const page = { title: account.email, current: "/operator", main, styles: STYLES };
    return context.show(page, entered === undefined ? 200 : 400);
  };

  operator.get("/operator/accounts/:id", async (context) => show(context, await find(context, operators)));

  operator.post("/operator/accounts/:id/terms", async (context, form) => {
    const account = await find(context, operators);
    const { terms, entered } = readTerms(form, account, plans);
    if (terms === undefined) return show(context, account, entered);
    await operators.changeTerms(context.account, account.id, terms);
    return context.goTo(`/operator/accounts/${account.id}?done=terms`);
  });

  const act = (name: string, done: string, work: (context: UserContext, id: string) => Promise<void>): void =>
    operator.post(`/operator/accounts/:id/${name}`, async (context) => {
      const { id } = await find(context, operators);
      await work(context, id);
      return context.goTo(`/operator/accounts/${id}?done=${done}`);
    });
  act("disable", "disabled", ({ account }, id) => operators.disable(account, id));
  act("enable", "enabled", ({ account }, id) => operators.enable(account, id));
  act("give-rights", "given", ({ account }, id) => operators.setRights(account, id, true));
  act("take-rights", "taken", ({ account }, id) => operators.setRights(account, id, false));

  operator.post("/operator/accounts/:id/password", async (context) => {
    const { id, email } = await find(context, operators);
    const secrets = { password: await operators.resetPassword(context.account, id) };
    const main = renderNewSecret(context.frame, { id, email, title: "New password", ...secrets });
    return context.show({ title: "New password", current: "/operator", main, styles: STYLES });
  });

  operator.post("/operator/accounts/:id/token", async (context) => {
    const { id, email } = await find(context, operators);
    const secrets = { token: await operators.renewToken(context.account, id) };
    const main = renderNewSecret(context.frame, { id, email, title: "New token", ...secrets });
    return context.show({ title: "New token", current: "/operator", main, styles: STYLES });
  });
}

async function find(context: UserContext, operators: Operators): Promise<AccountReport> {
  try {
    return await operators.find(context.c.req.param("id") ?? "");
  } catch (error) {
    if (!(error instanceof AccountError)) throw error;
    throw new PageError(404, "Account not found", error.message, { cause: error });
  }
}
