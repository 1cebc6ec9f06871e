import { html } from "hono/html";
import type { Plans } from "../../../domain/plan/plan.ts";
import { AccountError } from "../../../services/accounts/errors.ts";
import { toApiUrl } from "../../kit/format.ts";
import type { Guards } from "../../kit/guards.ts";
import { renderField, renderPlanOptions } from "../../kit/components.ts";
import { type Frame, type Html, renderForm } from "../../kit/layout.ts";
import type { AccountNeeds } from "./operator-account.ts";
import { renderNewSecret } from "./operator-secrets-view.ts";
import type { PageContext } from "../../kit/page-context.ts";

type Entered = {
  readonly email: string;
  /** The name of a plan, `none`, or empty if not chosen yet. */
  readonly plan: string;
  readonly fault?: { readonly field: "email" | "plan"; readonly message: string };
};

export function mountOperatorNewAccount({ operator }: Guards, { operators, plans, baseOf }: AccountNeeds): void {
  const show = (context: PageContext, entered: Entered): Promise<Response> => {
    const main = renderNewAccount(context.frame, plans, entered);
    const page = { title: "New account", current: "/operator", main, styles: ["dashboard/operator/operator.css"] };
    return context.show(page, entered.fault === undefined ? 200 : 400);
  };

  operator.get("/operator/accounts/new", (context) => show(context, { email: "", plan: "" }));

  operator.post("/operator/accounts/new", async (context, form) => {
    const [email, name] = [form.text("email"), form.text("plan")];
    const showFault = (field: "email" | "plan", message: string): Promise<Response> =>
      show(context, { email, plan: name, fault: { field, message } });
    if (name === "") return showFault("plan", "Choose a plan, or none.");
    const plan = name === "none" ? undefined : name;
    try {
      const { account, token, password } = await operators.create(context.account, { email, plan });
      const title = "Account created";
      const main = renderNewSecret(context.frame, {
        ...{ id: account.id, email: account.email, title, password, token },
        signIn: { plan, url: `${toApiUrl(baseOf(context.c))}/sign-in` },
      });
      return await context.show({ title, current: "/operator", main, styles: ["dashboard/operator/operator.css"] });
    } catch (error) {
      if (!(error instanceof AccountError)) throw error;
      return showFault(error.field === "plan" ? "plan" : "email", error.message);
    }
  });
}

function renderNewAccount(frame: Frame, plans: Plans, { email, plan, fault }: Entered): Html {
  const isChosen = plan === "none" || plans.has(plan);
  const faultsAt = (field: string): readonly string[] => (fault?.field === field ? [fault.message] : []);
  const fields = html`${renderField({
      name: "email",
      label: "Email",
      faults: faultsAt("email"),
      control: (marks) =>
        html`<input ${marks} type="email" autocomplete="off" required maxlength="254" value="${email}" />`,
    })}
    ${renderField({
      name: "plan",
      label: "Plan",
      faults: faultsAt("plan"),
      control: (marks) =>
        html`<select ${marks} required>
          ${isChosen ? "" : html`<option value="" selected>Choose a plan, or none</option>`}
          ${renderPlanOptions([...plans.keys()], isChosen ? plan : "")}
        </select>`,
    })}
    <p class="hint">The next page shows a random password and a token once. The server doesn't send them by email.</p>
    <p class="row">
      <button type="submit" class="primary">Create account</button>
      <a href="${frame.to("/operator")}">Cancel</a>
    </p>`;
  return html`<section class="narrow card">
    <h1>New account</h1>
    ${renderForm(frame, "/operator/accounts/new", fields, { className: "stack" })}
  </section>`;
}
