import { html } from "hono/html";
import { renderField } from "../../kit/components.ts";
import type { Guards } from "../../kit/guards.ts";
import { type Frame, type Html, renderForm } from "../../kit/layout.ts";
import { toNextPage } from "../../kit/paths.ts";
import type { PageServices } from "../../kit/page-services.ts";

type Entered = {
  readonly email: string;
  readonly next?: string | undefined;
  readonly notice?: { readonly kind: "good" | "bad"; readonly text: string };
};

/** Shown for unknown emails, wrong passwords and disabled accounts alike. */
const WRONG =
  "Incorrect email address or password. Passwords are case-sensitive. After several failed sign-ins, the next sign-in can take up to " +
  "40 seconds.";

/** Mounts sign-in and sign-out. */
export function mountSignIn({ anyone, user }: Guards, services: PageServices): void {
  const { signIn, sessions, cookie, knownCookie, addressOf, log } = services;

  anyone.get("/sign-in", (context) => {
    if (context.frame.user !== undefined) return context.goTo("/dashboard");
    const next = toNextPage(context.c.req.query("next"));
    return context.show(toSignInPage(context.frame, { email: "", next }));
  });

  anyone.post("/sign-in", async (context, form) => {
    const { c, frame } = context;
    const [email, next] = [form.text("email"), toNextPage(form.text("next"))];
    const known = knownCookie.read(c);
    const client = { address: addressOf(c), sessions: cookie.read(c), known, signal: c.req.raw.signal };
    const signedIn = await signIn.signIn(email, form.text("password"), client);
    if (signedIn === undefined) {
      log.sample("user.sign_in_refused", { requestId: c.get("requestId") });
      return context.show(toSignInPage(frame, { email, next, notice: { kind: "bad", text: WRONG } }), 401);
    }
    cookie.write(c, signedIn.secret);
    knownCookie.write(c, signedIn.known);
    return context.goTo(next ?? "/dashboard");
  });

  user.post("/sign-out", async (context) => {
    await sessions.end(context.secret);
    cookie.clear(context.c);
    return context.goTo("/");
  });
}

export function toSignInPage(frame: Frame, entered: Entered): { title: string; main: Html } {
  return { title: "Sign in", main: renderSignIn(frame, entered) };
}

function renderSignIn(frame: Frame, { email, next, notice }: Entered): Html {
  const fields = html`
    ${notice === undefined ? "" : html`<p class="notice ${notice.kind}" role="alert">${notice.text}</p>`}
    ${renderField({
      name: "email",
      label: "Email",
      control: html`type="text" inputmode="email" autocapitalize="none" spellcheck="false" autocomplete="username"
      required value="${email}"`,
    })}
    ${renderField({
      name: "password",
      label: "Password",
      control: html`type="password" autocomplete="current-password" required`,
    })}
    ${next === undefined ? "" : html`<input type="hidden" name="next" value="${next}" />`}
    <button type="submit" class="primary">Sign in</button>
  `;
  return html`<section class="narrow card">
    <h1>Sign in</h1>
    ${renderForm(frame, "/sign-in", fields, { className: "stack" })}
    <p class="fine">
      ${
        frame.isSignUpOpen
          ? html`Don't have an account? <a href="${frame.to("/sign-up")}">Sign up</a>. `
          : "Don't have an account? Ask the operator of this server for one. "
      }
      Forgot your password? The operator can reset it.
    </p>
  </section>`;
}
