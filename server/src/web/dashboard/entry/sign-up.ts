import { html } from "hono/html";
import { PageError } from "../../kit/errors.ts";
import { type EntryFault, findEntryFault } from "../../../services/accounts/account-entry.ts";
import { AccountError } from "../../../services/accounts/account-error.ts";
import type { Accounts } from "../../../services/accounts/accounts.ts";
import { BusyError } from "../../../services/accounts/busy-error.ts";
import type { Guards } from "../../kit/guards.ts";
import { renderField } from "../../kit/components.ts";
import { type Frame, type Html, renderForm } from "../../kit/layout.ts";
import { newSession } from "../../kit/new-session.ts";
import type { SignInNeeds } from "./sign-in.ts";

export type SignUpNeeds = Pick<SignInNeeds, "sessions" | "cookie" | "attempts" | "addressOf" | "log"> & {
  readonly accounts: Pick<Accounts, "signUp">;
};

type Entered = { readonly email: string; readonly fault: EntryFault | undefined };

/** Making an account. */
export function mountSignUp({ anyone }: Guards, needs: SignUpNeeds): void {
  const { accounts, sessions, cookie, attempts, addressOf, log } = needs;

  anyone.get("/sign-up", (context) => {
    if (context.frame.member !== undefined) return context.goTo("/dashboard");
    refuseClosed(context.frame);
    return context.show({ title: "Sign up", main: renderSignUp(context.frame, { email: "", fault: undefined }) });
  });

  anyone.post("/sign-up", async (context, form) => {
    const { c, frame } = context;
    refuseClosed(frame);
    const [email, password] = [form.text("email"), form.text("password")];
    const showFault = (fault: EntryFault): Promise<Response> =>
      context.show({ title: "Sign up", main: renderSignUp(frame, { email, fault }) }, 400);
    const fault = findEntryFault(email, password);
    if (fault !== undefined) return showFault(fault);
    // Only now: what somebody mistypes makes no account, and tells nothing of those that there are.
    const attempt = await attempts.takeSignUp(addressOf(c));
    try {
      const account = await accounts.signUp(email, password);
      log.info("account.signed_up", { account: account.id });
      await newSession(c, account, { sessions, cookie });
      return context.goTo("/dashboard");
    } catch (error) {
      if (error instanceof BusyError) await attempt.withdraw();
      if (!(error instanceof AccountError)) throw error;
      return showFault({ field: "email", message: error.message });
    }
  });
}

function refuseClosed({ isSignUpOpen }: Frame): void {
  if (isSignUpOpen) return;
  throw new PageError(403, "Sign-up is closed", "Accounts of this server are made by its operator: ask for one.");
}

function renderSignUp(frame: Frame, { email, fault }: Entered): Html {
  const faultsAt = (field: EntryFault["field"]): readonly string[] => (fault?.field === field ? [fault.message] : []);
  const fields = html`${renderField({
      name: "email",
      label: "E-mail",
      faults: faultsAt("email"),
      control: (marks) =>
        html`<input ${marks} type="email" autocomplete="username" required maxlength="254" value="${email}" />`,
    })}
    ${renderField({
      name: "password",
      label: "Password",
      hint: "12 characters or more; a sentence is fine.",
      faults: faultsAt("password"),
      control: (marks) => html`<input ${marks} type="password" autocomplete="new-password" required minlength="12" />`,
    })} <button type="submit" class="primary">Sign up</button>`;
  return html`<section class="narrow card">
    <h1>Sign up</h1>
    ${renderForm(frame, "/sign-up", fields, { className: "stack" })}
    <p class="fine">Have an account already? <a href="${frame.to("/sign-in")}">Sign in</a>.</p>
  </section>`;
}
