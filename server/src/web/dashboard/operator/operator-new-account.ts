import { html } from "hono/html";
import type { Plans } from "../../../domain/plan/plan.ts";
import { AccountError } from "../../../services/accounts/errors.ts";
import { orAccountError } from "../../kit/errors.ts";
import { toApiUrl } from "../../kit/format.ts";
import type { Guards } from "../../kit/guards.ts";
import { renderField, renderPlanOptions } from "../../kit/components.ts";
import { type Frame, type Html, renderForm } from "../../kit/layout.ts";
import { toSecretPage } from "./operator-secrets-view.ts";
import type { PageContext } from "../../kit/page-context.ts";
import type { PageServices } from "../../kit/page-services.ts";

type Entered = {
  readonly email: string;
  /** The name of a plan, `none`, or an empty string if no plan has been chosen yet. */
  readonly plan: string;
  readonly fault?: { readonly field: "email" | "plan"; readonly message: string };
};

export function mountOperatorNewAccount({ operator }: Guards, { operators, plans, baseOf }: PageServices): void {
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
    const made = await orAccountError(operators.create(context.account, { email, plan }));
    if (made instanceof AccountError) return showFault(made.field === "plan" ? "plan" : "email", made.message);
    const { account, token, password } = made;
    const signIn = { plan, url: `${toApiUrl(baseOf(context.c))}/sign-in` };
    return context.show(toSecretPage(context.frame, account, { title: "Account created", password, token, signIn }));
  });
}

function renderNewAccount(frame: Frame, plans: Plans, { email, plan, fault }: Entered): Html {
  const isChosen = plan === "none" || plans.has(plan);
  const faultAt = (field: string) => (fault?.field === field ? fault.message : undefined);
  const fields = html`${renderField({
      name: "email",
      label: "Email",
      faults: faultAt("email"),
      control: html`type="email" autocomplete="off" required maxlength="254" value="${email}"`,
    })}
    ${renderField({
      name: "plan",
      label: "Plan",
      faults: faultAt("plan"),
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
