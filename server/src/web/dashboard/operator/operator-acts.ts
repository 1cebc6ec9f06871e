import { html } from "hono/html";
import type { Act, ActName } from "../../../ports/store/audit-store.ts";
import { COMMAND_LINE } from "../../../ports/store/audit-store.ts";
import { isOfServer } from "../../../services/operators/audit.ts";
import type { ActPage, Operators } from "../../../services/operators/operators.ts";
import { renderPaging, renderTable } from "../../kit/components.ts";
import { renderMoment, toCount } from "../../kit/format.ts";
import type { Guards } from "../../kit/guards.ts";
import type { Frame, Html } from "../../kit/layout.ts";
import { withQuery } from "../../kit/paths.ts";

const PATH = "/operator/audit";

const WORDS: Readonly<Record<ActName, string>> = {
  created: "Created the account",
  terms: "Changed plan or limits",
  disabled: "Disabled the account",
  enabled: "Enabled the account",
  "rights given": "Gave operator rights",
  "rights taken": "Removed operator rights",
  password: "Reset the password",
  token: "Replaced all tokens",
  deleted: "Deleted the account",
  "browser closed": "Closed a browser",
  "server cordoned": "Stopped the server from opening browsers",
  "server draining": "Drained the server",
  "server active": "Let the server open browsers",
  "server removed": "Removed the server",
};

/** Mounts the audit log of what operators have done to one account or server, or to all accounts and servers. */
export function mountOperatorActs({ operator }: Guards, { operators }: { readonly operators: Operators }): void {
  operator.get(PATH, async (context) => {
    const { frame, c } = context;
    const [subject, before] = [c.req.query("of"), c.req.query("behind")];
    const page = await operators.acts({ subject, before });
    const toUrl = (behind?: string): string => frame.to(withQuery(PATH, { of: subject, behind }));
    const paging = { isFirst: before === undefined, next: page.next, toUrl };
    const main = html`<p><a href="${frame.to("/operator")}">Operator</a></p>
      <h1 id="acts">Audit log</h1>
      <p class="lead">What operators have done on these pages and on the command line.</p>
      ${
        subject === undefined
          ? ""
          : html`<p>
              Only ${page.emails.get(subject) ?? html`<code class="id">${subject}</code>`}.
              <a href="${frame.to(PATH)}">Show everything</a>
            </p>`
      }
      ${renderActs(frame, page, subject)} ${renderPaging("Audit log pages", paging)}`;
    return context.show({
      title: "Audit log",
      current: "/operator",
      main,
      styles: ["dashboard/operator/operator.css"],
    });
  });
}

/** Returns the path of an account's or a server's audit log. */
export function toActsPath(subject: string): string {
  return withQuery(PATH, { of: subject });
}

/**
 * Renders the table below a heading with the id `acts`.
 * @param subject The account or server to which all entries belong. If undefined, the table has a subject column.
 */
export function renderActs(frame: Frame, { acts, emails }: ActPage, subject: string | undefined): Html {
  if (acts.length === 0) return html`<p class="card empty">Nothing yet.</p>`;
  return renderTable({
    region: html`role="region" aria-labelledby="acts" tabindex="0"`,
    columns: { Action: "", ...(subject === undefined && { "Account or server": "" }), Operator: "", Time: "" },
    rows: acts.map((act) => renderAct(frame, act, emails, subject === undefined)),
  });
}

function renderAct(
  frame: Frame,
  { at, actor, act, subject, details }: Act,
  emails: ActPage["emails"],
  hasSubject: boolean,
): Html {
  const toAccount = (id: string): Html => {
    const email = emails.get(id);
    if (email === undefined) return html`Deleted account <code class="id">${id}</code>`;
    return html`<a href="${frame.to(`/operator/accounts/${id}`)}">${email}</a>`;
  };
  const words = Object.entries(details).flatMap(([name, value]) => toWords(name, value) ?? []);
  return html`<tr>
    <th scope="row">${WORDS[act]} ${words.length === 0 ? "" : html`<span class="fine">${words.join(", ")}</span>`}</th>
    ${
      hasSubject
        ? html`<td data-name="Account or server">
            ${isOfServer(act) ? html`<code class="id">${subject}</code>` : toAccount(subject)}
          </td>`
        : ""
    }
    <td data-name="Operator">${actor === COMMAND_LINE ? "Command line" : toAccount(actor)}</td>
    <td data-name="Time">${renderMoment(at)}</td>
  </tr>`;
}

/** @returns Undefined for a detail that isn't shown. */
function toWords(name: string, value: Act["details"][string]): string | undefined {
  const toLimit = (noun: string): string => (typeof value === "number" ? toCount(value, noun) : `the plan's ${noun}s`);
  switch (name) {
    case "plan":
      return typeof value === "string" ? `plan ${value}` : "no plan";
    case "parallel":
      return toLimit("parallel browser");
    case "units":
      return toLimit("unit");
    case "hasAdditionalUnits":
      return `additional units ${value === true ? "on" : "off"}`;
    case "isOperator":
      return value === true ? "operator" : undefined;
    case "browserId":
      return String(value);
    case "lostBrowsers":
      return toCount(Number(value), "lost browser");
    default:
      return `${name} ${String(value)}`;
  }
}
