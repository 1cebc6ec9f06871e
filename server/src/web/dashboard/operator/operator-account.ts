import { orAccountError, PageError } from "../../kit/errors.ts";
import type { AccountReport } from "../../../ports/store/account-store.ts";
import { AccountError } from "../../../services/accounts/errors.ts";
import type { Operators } from "../../../services/operators/operators.ts";
import type { Guards } from "../../kit/guards.ts";
import { type Refused, renderAccount } from "./operator-account-view.ts";
import { toSecretPage } from "./operator-secrets-view.ts";
import { readTerms, type TermsEntered, toEntered } from "./operator-terms.ts";
import type { UserContext } from "../../kit/page-context.ts";
import type { PageServices } from "../../kit/page-services.ts";

/** Maximum number of audit log entries on an account's page. */
const ACTS = 5;

export function mountOperatorAccount({ operator }: Guards, { operators, signIn, plans }: PageServices): void {
  /** @param mistakes Invalid input. */
  const show = async (
    context: UserContext,
    account: AccountReport,
    mistakes: { readonly entered?: TermsEntered; readonly refused?: Refused } = {},
  ): Promise<Response> => {
    const { frame, c } = context;
    const { entered = toEntered(account), refused } = mistakes;
    const isRight = mistakes.entered === undefined && refused === undefined;
    const done = isRight ? c.req.query("done") : undefined;
    const isOwn = account.id === context.account.id;
    const acts = await operators.acts({ subject: account.id, limit: ACTS });
    const main = renderAccount(frame, { account, isOwn, plans, done, entered, refused, acts });
    const page = { title: account.email, current: "/operator", main, styles: ["dashboard/operator/operator.css"] };
    return context.show(page, isRight ? 200 : 400);
  };

  operator.get("/operator/accounts/:id", async (context) => show(context, await find(context, operators)));

  operator.post("/operator/accounts/:id/terms", async (context, form) => {
    const account = await find(context, operators);
    const { terms, entered } = readTerms(form, account, plans);
    if (terms === undefined) return show(context, account, { entered });
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

  /** Mounts a form that requires the operator's own password. */
  const confirmAnd = (
    action: Refused["action"],
    work: (context: UserContext, account: AccountReport) => Promise<Response>,
  ): void =>
    operator.post(`/operator/accounts/:id/${action}`, async (context, form) => {
      const account = await find(context, operators);
      const refusal = await orAccountError(signIn.confirm(context.account, form.text("password")));
      if (!(refusal instanceof AccountError)) return work(context, account);
      return show(context, account, { refused: { action, fault: refusal.message } });
    });
  confirmAnd("give-rights", async (context, { id }) => {
    await operators.setRights(context.account, id, true);
    return context.goTo(`/operator/accounts/${id}?done=given`);
  });
  confirmAnd("take-rights", async (context, { id }) => {
    await operators.setRights(context.account, id, false);
    return context.goTo(`/operator/accounts/${id}?done=taken`);
  });
  confirmAnd("password", async (context, account) => {
    const password = await operators.resetPassword(context.account, account.id);
    return context.show(toSecretPage(context.frame, account, { title: "New password", password }));
  });
  confirmAnd("token", async (context, account) => {
    const token = await operators.renewToken(context.account, account.id);
    return context.show(toSecretPage(context.frame, account, { title: "New token", token }));
  });
}

async function find(context: UserContext, operators: Operators): Promise<AccountReport> {
  const found = await orAccountError(operators.find(context.c.req.param("id") ?? ""));
  if (!(found instanceof AccountError)) return found;
  throw new PageError(404, "Account not found", found.message, { cause: found });
}
