import type { Context } from "hono";
import { AccountError } from "../../../services/accounts/errors.ts";
import type { Tokens } from "../../../services/accounts/tokens.ts";
import { toApiUrl } from "../../kit/format.ts";
import type { Guards } from "../../kit/guards.ts";
import type { UserContext } from "../../kit/page-context.ts";
import { renderNewToken, renderTokens, type TokensShown } from "./tokens-view.ts";

export type TokenNeeds = {
  readonly tokens: Tokens;
  /** The base URL of the pages. */
  readonly baseOf: (c: Context) => URL;
  readonly now: () => Date;
};

const PATH = "/dashboard/tokens";

/**
 * The account's API tokens. The response to the form shows the new token directly: to show it after a redirect, the
 * server would have to store it in plain text.
 */
export function mountTokens({ user }: Guards, { tokens, baseOf, now }: TokenNeeds): void {
  const show = async (context: UserContext, shown: Partial<TokensShown>, status: 200 | 400 | 404 = 200) => {
    const entries = await tokens.list(context.account);
    const main = renderTokens(context.frame, { name: "", entries, now: now(), ...shown });
    return context.show({ title: "Tokens", current: PATH, main, styles: ["dashboard/tokens/tokens.css"] }, status);
  };
  const showNew = (context: UserContext, token: string, lead: string) => {
    const main = renderNewToken(context.frame, { token, lead, url: toApiUrl(baseOf(context.c)) });
    const [styles, scripts] = [
      ["dashboard/tokens/tokens.css", "kit/static/code-block.css"],
      ["dashboard/tokens/new-token.js"],
    ];
    return context.show({ title: "New token", current: PATH, main, styles, scripts });
  };

  user.get(PATH, (context) => show(context, { done: context.c.req.query("done") }));

  user.post(PATH, async (context, form) => {
    const name = form.text("name");
    const made = await toOutcome(tokens.add(context.account, name));
    if ("fault" in made) return show(context, { name, fault: made.fault }, 400);
    return showNew(context, made.result, "Your programs can use it immediately.");
  });

  user.post(`${PATH}/renew`, async (context, form) => {
    const made = await toOutcome(tokens.renew(context.account, form.text("id"), form.text("prefix")));
    if ("fault" in made) return show(context, { refusal: made.fault }, 404);
    return showNew(context, made.result, "The previous token no longer works. Update your programs with this one.");
  });

  user.post(`${PATH}/revoke`, async (context, form) => {
    const done = await toOutcome(tokens.revoke(context.account, form.text("id")));
    if ("fault" in done) return show(context, { refusal: done.fault }, 404);
    return context.goTo(`${PATH}?done=revoked`);
  });

  // The address bar shows these paths after a form: a reload leads to the list.
  for (const action of ["renew", "revoke"]) user.get(`${PATH}/${action}`, (context) => context.goTo(PATH));
}

/** Turns an `AccountError` into a message. */
async function toOutcome<Result>(promise: Promise<Result>): Promise<{ result: Result } | { fault: string }> {
  try {
    return { result: await promise };
  } catch (error) {
    if (error instanceof AccountError) return { fault: error.message };
    throw error;
  }
}
