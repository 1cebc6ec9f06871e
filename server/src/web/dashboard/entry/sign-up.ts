import { html } from "hono/html";
import { AccountError } from "../../../services/accounts/errors.ts";
import { renderField } from "../../kit/components.ts";
import type { Guards } from "../../kit/guards.ts";
import { type Frame, type Html, renderForm } from "../../kit/layout.ts";
import { orAccountError, PageError } from "../../kit/errors.ts";
import { toSignInPage } from "./sign-in.ts";
import type { PageServices } from "../../kit/page-services.ts";

/** Shown whether or not the email is taken. */
const SIGNED_UP =
  "Your account is ready, unless one already exists for this email address. Sign in to continue. An existing account keeps its password.";

export function mountSignUp({ anyone }: Guards, { signIn, addressOf }: PageServices): void {
  anyone.get("/sign-up", (context) => {
    if (context.frame.user !== undefined) return context.goTo("/dashboard");
    refuseClosed(context.frame);
    return context.show({ title: "Sign up", main: renderSignUp(context.frame, "", undefined) });
  });

  anyone.post("/sign-up", async (context, form) => {
    const { c, frame } = context;
    refuseClosed(frame);
    const email = form.text("email");
    const refusal = await orAccountError(signIn.signUp(email, form.text("password"), addressOf(c)));
    return refusal instanceof AccountError
      ? context.show({ title: "Sign up", main: renderSignUp(frame, email, refusal) }, 400)
      : context.show(toSignInPage(frame, { email, notice: { kind: "good", text: SIGNED_UP } }));
  });
}

function refuseClosed({ isSignUpOpen }: Frame): void {
  if (isSignUpOpen) return;
  throw new PageError(403, "Sign-up is closed", "Ask the operator of this server for an account.");
}

function renderSignUp(frame: Frame, email: string, error: AccountError | undefined): Html {
  const faultAt = (field: "email" | "password") => (error?.field === field ? error.message : undefined);
  const fields = html`${renderField({
      name: "email",
      label: "Email",
      faults: faultAt("email"),
      control: html`type="email" autocomplete="username" required maxlength="254" value="${email}"`,
    })}
    ${renderField({
      name: "password",
      label: "Password",
      hint: "At least 12 characters. A sentence works well.",
      faults: faultAt("password"),
      control: html`type="password" autocomplete="new-password" required minlength="12"`,
    })} <button type="submit" class="primary">Sign up</button>`;
  return html`<section class="narrow card">
    <h1>Sign up</h1>
    ${renderForm(frame, "/sign-up", fields, { className: "stack" })}
    <p class="fine">Already have an account? <a href="${frame.to("/sign-in")}">Sign in</a>.</p>
  </section>`;
}
