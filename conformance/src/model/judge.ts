import { type Act, type Answer, describeClosing, isName, isNoRoom, isStatus, refuse } from "./answer.ts";
import { judgeDesktop, judgeViewer } from "./judge-desktop.ts";
import { judgeLater } from "./judge-later.ts";
import { judgeList } from "./judge-list.ts";
import { type KnownBrowser, type Mismatch, type Model, withBrowser } from "./model.ts";
import { type Mistake, isGraphical, isLaterVerb } from "./step.ts";

/** The model's next state, or a description of why the result is wrong. */
type Judgement = Model | Mismatch;

/** Applies one atomic effect of a step to the model. */
export type Moment = (model: Model) => Judgement;

export function isMismatch(judgement: Judgement): judgement is Mismatch {
  return "expected" in judgement;
}

/**
 * Returns a step's atomic effects in order. A step that ends a browser has two effects, because other steps may run
 * while the browser closes. All other steps have one effect.
 */
export function momentsOf(act: Act): readonly Moment[] {
  const { step, answer } = act;
  const isEnd = (step.do === "close" && isStatus(answer, 200)) || (step.do === "quit" && answer.kind === "quit");
  if (!isEnd) return [(model) => judge(act, model)];
  return [
    (model) => onBrowser(model, step.browser, (known) => beginEnd(known, step.do === "quit" ? "exited" : "requested")),
    (model) => onBrowser(model, step.browser, (known) => finishEnd(known, act)),
  ];
}

function judge(act: Act, model: Model): Judgement {
  const { step, answer } = act;
  // The operator sets the rate limit. A rejected request changes nothing.
  if (isName(answer, "TooManyRequests", 429)) return model;
  if (step.do === "open") return judgeOpen(act, model);
  if (step.do === "get") return judgeList(answer, model);
  if (step.do === "err") return judgeMistake(step.mistake, answer) ?? model;
  return onBrowser(model, step.browser, (known) => {
    if (isLaterVerb(step.do)) return judgeLater(step.do, known, act);
    if (step.do === "start" || step.do === "stop") return judgeDesktop(step.do, known, answer);
    if (step.do === "disconnect") return known;
    if (step.do === "watch") return judgeViewer(known, answer);
    // The remaining steps are rejected Close requests and DevTools connections.
    if (known.state !== "open" && isName(answer, "BrowserNotFound", 404)) return known;
    if (step.do === "close") return refuse(known.state === "closed" ? "404 BrowserNotFound" : "200", answer);
    if (known.state === "closed") return refuse("the connection to be rejected with 404 BrowserNotFound", answer);
    if (answer.kind === "connected" && (answer.isAnswered || known.state === "closing")) return known;
    return refuse("a connection that responds to Browser.getVersion", answer);
  });
}

/**
 * Marks a browser as closing. According to the contract, closing a browser *again* returns 404. Of two concurrent Close
 * requests, either both return 200 or one returns 404, because the browser may be open until the first response. The
 * result is wrong if both return 404, or if a Close sent after another Close's response returns 200.
 */
function beginEnd(known: KnownBrowser, cause: "requested" | "exited"): KnownBrowser | Mismatch {
  if (known.state === "closed")
    return {
      expected: "404 BrowserNotFound, because the browser is closed",
      seen: "a response as if the browser existed",
    };
  return { ...known, state: "closing", causes: [...known.causes, cause] };
}

function finishEnd(known: KnownBrowser, { answer, ends }: Act): KnownBrowser | Mismatch {
  if (answer.kind === "quit" && !answer.isGone) {
    return {
      expected: "the browser to be absent from the list after Browser.close",
      seen: "the browser still in the list",
    };
  }
  const closings = answer.kind === "quit" ? [...ends, answer.closing] : ends;
  for (const closing of closings) {
    const isRight =
      closing?.code === 1000 && known.causes.some((cause) => closing.reason === `browser closed: ${cause}`);
    const reasons = [...new Set(known.causes)].map((cause) => `\`browser closed: ${cause}\``).join(" or ");
    if (!isRight)
      return { expected: `its clients to be disconnected with 1000 ${reasons}`, seen: describeClosing(closing) };
  }
  return { ...known, state: "closed", desktop: undefined };
}

function judgeOpen({ step, answer, label = "" }: Act, model: Model): Judgement {
  if (step.do !== "open") return model;
  // The model doesn't know whether the account is full: other clients may use it, and the plan sets its limit.
  if (isNoRoom(answer)) return model;
  if (!isStatus(answer, 200)) return refuse("200", answer);
  const { address } = answer.body;
  if (typeof address !== "string") return { expected: "an address", seen: "a response without an address" };
  const isNew = [...model.browsers.values()].every((other) => other.address !== address);
  if (!isNew) return { expected: "a new address", seen: "the address of an earlier browser" };
  return withBrowser(model, step.browser, {
    address,
    label,
    isGraphical: isGraphical(step.options),
    state: "open",
    causes: [],
    desktop: undefined,
    oldPasswords: [],
    startedOn: undefined,
  });
}

function judgeMistake(mistake: Mistake, answer: Answer): Mismatch | undefined {
  if (mistake.kind === "wrong token") return expectName(answer, "AuthorizationError", 401);
  if (mistake.kind === "unknown address") return expectName(answer, "BrowserNotFound", 404);
  const path = { "malformed body": "", "no address": "/address" };
  const place = mistake.kind === "bad option" ? mistake.path : path[mistake.kind];
  const isNamed = answer.kind === "answered" && answer.paths.includes(place);
  if (!isNamed && isName(answer, "BadRequest", 400)) {
    return { expected: `an error for ${JSON.stringify(place)}`, seen: `errors for ${JSON.stringify(answer.paths)}` };
  }
  return expectName(answer, "BadRequest", 400);
}

function onBrowser(model: Model, number: number, change: (known: KnownBrowser) => KnownBrowser | Mismatch): Judgement {
  const known = model.browsers.get(number);
  if (known === undefined) return model;
  const changed = change(known);
  return "expected" in changed ? changed : withBrowser(model, number, changed);
}

function expectName(answer: Answer, name: string, status: number): Mismatch | undefined {
  return isName(answer, name, status) ? undefined : refuse(`${status} ${name}`, answer);
}
