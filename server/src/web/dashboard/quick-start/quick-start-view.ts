import { html } from "hono/html";
import { renderCodeBlock } from "../../kit/components.ts";
import type { Frame, Html } from "../../kit/layout.ts";
import { curl } from "./curl.ts";
import { go } from "./go.ts";
import { java } from "./java.ts";
import { playwright, puppeteer } from "./node.ts";
import { python } from "./python.ts";
import { selenium } from "./selenium.ts";
import { CLONE_NOTE, type Tool } from "./tool.ts";
import { typescript } from "./typescript.ts";

/** The tools in the page's order. The first tool is the default. */
export const TOOLS: readonly [Tool, ...Tool[]] = [curl, puppeteer, playwright, selenium, typescript, python, go, java];

type QuickStartShown = {
  /** The name of the account's plan; undefined if the account has no plan. */
  readonly plan: string | undefined;
  /** Number of tokens. */
  readonly tokens: number;
  /** The API's URL. */
  readonly url: string;
  readonly chosen: Tool;
};

export function renderQuickStart(frame: Frame, { plan, tokens, url, chosen }: QuickStartShown): Html {
  return html`<h1>Quick start</h1>
    <p class="lead">
      Open a browser that your program controls, in three steps. While it is open, it appears under
      <a href="${frame.to("/dashboard")}">Browsers</a>.
    </p>
    <section class="card" aria-labelledby="step-plan">
      <h2 id="step-plan">1. Choose a plan</h2>
      ${renderPlan(frame, plan)}
    </section>
    <section class="card" aria-labelledby="step-token">
      <h2 id="step-token">2. Create a token</h2>
      ${renderToken(frame, tokens)}
    </section>
    <section class="card" aria-labelledby="step-way">
      <h2 id="step-way">3. Open a browser</h2>
      ${renderTools(url, chosen)}
    </section>`;
}

function renderPlan(frame: Frame, plan: string | undefined): Html {
  const settings = frame.to("/dashboard/settings");
  return plan === undefined
    ? html`<p class="notice busy">
        You need a plan to open browsers. <a href="${settings}">Choose one in the settings</a>.
      </p>`
    : html`<p>Your plan is <strong>${plan}</strong>. <a href="${settings}">Settings</a></p>`;
}

function renderToken(frame: Frame, tokens: number): Html {
  const page = frame.to("/dashboard/tokens");
  return html`${
      tokens === 0
        ? html`<p class="notice busy">
            You don't have a token yet. <a href="${page}">Create one</a> and copy it right away: it is shown only once.
          </p>`
        : html`<p>
            You have ${tokens === 1 ? "one token" : `${tokens} tokens`}. Each token is shown only once. If you lost
            yours, <a href="${page}">create another one</a>.
          </p>`
    }
    <p>The programs below read the token from an environment variable, so you don't have to store it in a file:</p>
    ${renderCodeBlock({
      id: "token",
      title: "Set the token in your shell",
      text: "export RBS_TOKEN=rbs_…",
      isToFillIn: true,
    })}`;
}

/** Radio buttons that look like tabs. They work without scripts, and support the arrow keys. */
function renderTools(url: string, chosen: Tool): Html {
  return html`<div class="stack ways">
    <fieldset class="tabs">
      <legend>Choose a tool</legend>
      <div class="row">
        ${TOOLS.map(
          ({ id, name }) =>
            html`<label class="tab">
              <input type="radio" name="with" value="${id}" ${id === chosen.id ? html`checked` : ""} />
              <span>${name}</span>
            </label>`,
        )}
      </div>
    </fieldset>
    ${TOOLS.map((tool) => renderTool(tool, url))}
  </div>`;
}

function renderTool({ id, name, needs, toBlocks }: Tool, url: string): Html {
  const blocks = toBlocks(url);
  const needsClone = blocks.some(({ text }) => text.includes("CLONE"));
  return html`<section class="way stack" data-way="${id}" aria-labelledby="way-${id}">
    <h3 id="way-${id}">${name}</h3>
    <p>${needs} ${needsClone ? CLONE_NOTE : ""}</p>
    ${blocks.map((block) => renderCodeBlock({ ...block, id: `${id}-${block.id}` }))}
  </section>`;
}
