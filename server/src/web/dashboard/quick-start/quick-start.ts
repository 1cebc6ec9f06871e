import type { Context } from "hono";
import { toSubscription } from "../../../domain/account/account.ts";
import type { Plans } from "../../../domain/account/plan.ts";
import type { Tokens } from "../../../services/accounts/tokens.ts";
import { toApiUrl } from "../../kit/api-url.ts";
import type { Guards } from "../../kit/guards.ts";
import { renderQuickStart } from "./quick-start-view.ts";
import { WAYS } from "./ways.ts";

export type QuickStartNeeds = {
  readonly plans: Plans;
  readonly tokens: Tokens;
  /** What addresses that a person opens begin with. */
  readonly baseOf: (c: Context) => URL;
};

const PATH = "/dashboard/quick-start";

/** From nothing to a first browser, in the language of one's choice. No token is ever put in: the server knows none. */
export function mountQuickStart({ member }: Guards, { plans, tokens, baseOf }: QuickStartNeeds): void {
  member.get(PATH, async (context) => {
    const { c, frame, account } = context;
    const wanted = c.req.query("with");
    const main = renderQuickStart(frame, {
      plan: toSubscription(account, plans)?.name,
      tokens: (await tokens.list(account)).length,
      url: toApiUrl(baseOf(c)),
      chosen: WAYS.find(({ id }) => id === wanted) ?? WAYS[0],
    });
    return context.show({
      title: "Quick start",
      current: PATH,
      main,
      styles: ["dashboard/quick-start/quick-start.css", "kit/code-block.css"],
    });
  });
}
