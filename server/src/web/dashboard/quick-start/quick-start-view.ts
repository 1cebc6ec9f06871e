import { html } from "hono/html";
import { renderCodeBlock } from "../../kit/code-block.ts";
import type { Frame, Html } from "../../kit/layout.ts";
import { CLONE_NOTE, type Way } from "./way.ts";
import { WAYS } from "./ways.ts";

export type QuickStartShown = {
  /** Name of the account's plan, if it has one. */
  readonly plan: string | undefined;
  /** How many the account has. */
  readonly tokens: number;
  /** Of the API. */
  readonly url: string;
  readonly chosen: Way;
};

export function renderQuickStart(frame: Frame, { plan, tokens, url, chosen }: QuickStartShown): Html {
  return html`<h1>Quick start</h1>
    <p class="lead">
      Three steps to a browser that your program drives. While it runs, it stands on
      <a href="${frame.to("/dashboard")}">your browsers' page</a>, with a picture of its screen.
    </p>
    <section class="card" aria-labelledby="step-plan">
      <h2 id="step-plan">1. A plan</h2>
      ${renderPlan(frame, plan)}
    </section>
    <section class="card" aria-labelledby="step-token">
      <h2 id="step-token">2. A token</h2>
      ${renderToken(frame, tokens)}
    </section>
    <section class="card" aria-labelledby="step-way">
      <h2 id="step-way">3. A browser</h2>
      ${renderWays(url, chosen)}
    </section>`;
}

function renderPlan(frame: Frame, plan: string | undefined): Html {
  const settings = frame.to("/dashboard/settings");
  return plan === undefined
    ? html`<p class="notice busy">
        This account has no plan yet, and without one no browser opens: <a href="${settings}">see the settings</a>.
      </p>`
    : html`<p>Your plan is <strong>${plan}</strong>. <a href="${settings}">Settings</a></p>`;
}

function renderToken(frame: Frame, tokens: number): Html {
  const page = frame.to("/dashboard/tokens");
  return html`${
      tokens === 0
        ? html`<p class="notice busy">
            You have no token yet: <a href="${page}">create one</a>, and copy it when it is shown.
          </p>`
        : html`<p>
            You have ${tokens === 1 ? "one token" : `${tokens} tokens`}. If none is at hand,
            <a href="${page}">create another</a>: each is shown only once.
          </p>`
    }
    <p>The programs below take it from the environment, so that it stands in none of your files:</p>
    ${renderCodeBlock({
      id: "token",
      title: "In your shell, with your token",
      text: "export RBS_TOKEN=rbs_…",
      isToFillIn: true,
    })}`;
}

/** Radio buttons that look like tabs: they need no script, and arrow keys go through them. */
function renderWays(url: string, chosen: Way): Html {
  return html`<div class="ways">
    <fieldset class="tabs">
      <legend>With what do you want to drive it?</legend>
      <div class="row">
        ${WAYS.map(
          ({ id, name }) =>
            html`<label class="tab">
              <input type="radio" name="with" value="${id}" ${id === chosen.id ? html`checked` : ""} />
              <span>${name}</span>
            </label>`,
        )}
      </div>
    </fieldset>
    ${WAYS.map((way) => renderWay(way, url))}
  </div>`;
}

function renderWay({ id, name, needs, toBlocks }: Way, url: string): Html {
  const blocks = toBlocks(url);
  const isOurs = blocks.some(({ text }) => text.includes("CLONE"));
  return html`<section class="way stack" data-way="${id}" aria-labelledby="way-${id}">
    <h3 id="way-${id}">${name}</h3>
    <p>${needs} ${isOurs ? CLONE_NOTE : ""}</p>
    ${blocks.map((block) => renderCodeBlock({ ...block, id: `${id}-${block.id}` }))}
  </section>`;
}
