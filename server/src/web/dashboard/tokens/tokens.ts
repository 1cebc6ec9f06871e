import type { Context } from "hono";
import { AccountError } from "../../../services/accounts/account-error.ts";
import type { Tokens } from "../../../services/accounts/tokens.ts";
import { toApiUrl } from "../../kit/format.ts";
import type { Guards } from "../../kit/guards.ts";
import { renderNewToken } from "./new-token-view.ts";
import { type TokensShown, renderTokens } from "./tokens-view.ts";
import type { MemberContext } from "../../kit/page-context.ts";

export type TokenNeeds = {
  readonly tokens: Tokens;
  /** What addresses that a person opens begin with. */
  readonly baseOf: (c: Context) => URL;
  readonly now: () => Date;
};

const PATH = "/dashboard/tokens";

/**
 * The account's API tokens. A new one stands in the answer to the form that asked for it, and nowhere else: to show it after a
 * redirect, it would have to be kept in clear.
 */
export function mountTokens({ member }: Guards, { tokens, baseOf, now }: TokenNeeds): void {
  const show = async (context: MemberContext, shown: Partial<TokensShown>, status: 200 | 400 | 404 = 200) => {
    const entries = await tokens.list(context.account);
    const main = renderTokens(context.frame, { name: "", entries, now: now(), ...shown });
    return context.show({ title: "Tokens", current: PATH, main, styles: ["dashboard/tokens/tokens.css"] }, status);
  };
  const showNew = (context: MemberContext, token: string, lead: string) => {
    const main = renderNewToken(context.frame, { token, lead, url: toApiUrl(baseOf(context.c)) });
    const [styles, scripts] = [
      ["dashboard/tokens/tokens.css", "kit/code-block.css"],
      ["dashboard/tokens/new-token.js"],
    ];
    return context.show({ title: "New token", current: PATH, main, styles, scripts });
  };

  member.get(PATH, (context) => show(context, { done: context.c.req.query("done") }));

  member.post(PATH, async (context, form) => {
    const name = form.text("name");
    const made = await tried(tokens.add(context.account, name));
    if ("fault" in made) return show(context, { name, fault: made.fault }, 400);
    return showNew(context, made.result, "Your programs can use it from now on.");
  });

  member.post(`${PATH}/renew`, async (context, form) => {
    const made = await tried(tokens.renew(context.account, form.text("id"), form.text("prefix")));
    if ("fault" in made) return show(context, { refusal: made.fault }, 404);
    return showNew(context, made.result, "The one before it has stopped: give your programs this one.");
  });

  member.post(`${PATH}/revoke`, async (context, form) => {
    const done = await tried(tokens.revoke(context.account, form.text("id")));
    if ("fault" in done) return show(context, { refusal: done.fault }, 404);
    return context.goTo(`${PATH}?done=revoked`);
  });

  // Where the address bar leads to after one of these forms.
  for (const action of ["renew", "revoke"]) member.get(`${PATH}/${action}`, (context) => context.goTo(PATH));
}

/** What came of it, or what the person got wrong about it. */
async function tried<Result>(promise: Promise<Result>): Promise<{ result: Result } | { fault: string }> {
  try {
    return { result: await promise };
  } catch (error) {
    if (error instanceof AccountError) return { fault: error.message };
    throw error;
  }
}
