import { html } from "hono/html";
import type { ServiceLog } from "../../../api/service.ts";
import type { Attempts } from "../../kit/attempts.ts";
import { toNextPage } from "../../kit/paths.ts";
import type { SessionCookie } from "../../kit/session-cookie.ts";
import type { Context } from "hono";
import type { Passwords } from "../../../services/accounts/passwords.ts";
import type { Sessions } from "../../../services/accounts/sessions.ts";
import type { Guards } from "../../kit/guards.ts";
import { renderField } from "../../kit/components.ts";
import { type Frame, type Html, renderForm } from "../../kit/layout.ts";
import { newSession } from "../../kit/new-session.ts";

export type SignInNeeds = {
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly cookie: SessionCookie;
  readonly attempts: Attempts;
  /** Of whoever sends the request, past the trusted proxies. */
  readonly addressOf: (c: Context) => string;
  readonly log: Pick<ServiceLog, "info">;
};

type Entered = { readonly email: string; readonly next: string | undefined; readonly fault: string | undefined };

/** The same for an unknown e-mail, a wrong password and a disabled account. */
const WRONG = "No account has this e-mail and this password. Check both: capital letters count in the password.";

/** Getting in and out. */
export function mountSignIn({ anyone, member }: Guards, needs: SignInNeeds): void {
  const { passwords, sessions, cookie, attempts, addressOf, log } = needs;

  anyone.get("/sign-in", (context) => {
    if (context.frame.member !== undefined) return context.goTo("/dashboard");
    const next = toNextPage(context.c.req.query("next"));
    return context.show(toPage(context.frame, { email: "", next, fault: undefined }));
  });

  anyone.post("/sign-in", async (context, form) => {
    const { c, frame } = context;
    const [email, password, next] = [form.text("email"), form.text("password"), toNextPage(form.text("next"))];
    const attempt = await attempts.take(addressOf(c), email);
    const account = await passwords.signIn(email, password).catch(async (error: unknown) => {
      await attempt.withdraw();
      throw error;
    });
    if (account === undefined) {
      log.info("person.sign_in_refused", { requestId: c.get("requestId") });
      return context.show(toPage(frame, { email, next, fault: WRONG }), 401);
    }
    await attempt.succeed();
    await newSession(c, account, { sessions, cookie });
    log.info("person.signed_in", { account: account.id });
    return context.goTo(next ?? "/dashboard");
  });

  member.post("/sign-out", async (context) => {
    await sessions.end(context.secret);
    cookie.clear(context.c);
    return context.goTo("/");
  });
}

function toPage(frame: Frame, entered: Entered): { title: string; main: Html } {
  return { title: "Sign in", main: renderSignIn(frame, entered) };
}

function renderSignIn(frame: Frame, { email, next, fault }: Entered): Html {
  const fields = html`
    ${fault === undefined ? "" : html`<p class="notice bad" role="alert">${fault}</p>`}
    ${renderField({
      name: "email",
      label: "E-mail",
      faults: [],
      control: (marks) =>
        html`<input
          ${marks}
          type="text"
          inputmode="email"
          autocapitalize="none"
          spellcheck="false"
          autocomplete="username"
          required
          value="${email}"
        />`,
    })}
    ${renderField({
      name: "password",
      label: "Password",
      faults: [],
      control: (marks) => html`<input ${marks} type="password" autocomplete="current-password" required />`,
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
          ? html`No account yet? <a href="${frame.to("/sign-up")}">Sign up</a>. `
          : "Accounts are made by the operator of this server. "
      }
      A forgotten password is replaced by the operator.
    </p>
  </section>`;
}
