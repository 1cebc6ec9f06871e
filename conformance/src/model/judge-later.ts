import { toObject } from "../target/json.ts";
import { type Act, type Answered, describeClosing, isName, isStatus, refuse } from "./answer.ts";
import { judgePassword, judgeShown } from "./judge-list.ts";
import type { KnownBrowser, Mismatch } from "./model.ts";
import type { LaterVerb } from "./step.ts";

type Shown = { readonly [member: string]: unknown };

/** Checks operations that contract 1.1 added. These steps run one at a time. */
export function judgeLater(verb: LaterVerb, known: KnownBrowser, act: Act): KnownBrowser | Mismatch {
  const { answer } = act;
  if (verb === "update" && known.state === "closed") {
    return isName(answer, "BrowserNotFound", 404) ? known : refuse("404 BrowserNotFound", answer);
  }
  if (!isStatus(answer, 200)) return refuse("200", answer);
  switch (verb) {
    case "info":
      return judgeRecord(known, answer.body);
    case "update":
      return judgeRecord({ ...known, label: act.label ?? known.label }, answer.body);
    case "history":
      return judgeHistory(known, answer);
    case "wait":
      return judgeEnd(known, answer.body) ?? known;
    case "repeat":
      return judgeRepetition(known, answer);
    case "closeAll":
      return judgeCloseAll(known, answer, act);
  }
}

function judgeHistory(known: KnownBrowser, { body }: Answered): KnownBrowser | Mismatch {
  const { browsers } = body;
  const records = Array.isArray(browsers) ? browsers.map(toObject) : [];
  const [record] = records;
  if (record !== undefined && records.length === 1) return judgeRecord(known, record);
  return { expected: "to appear exactly once in a history search by label", seen: `${records.length} records` };
}

function judgeRepetition(known: KnownBrowser, { body }: Answered): KnownBrowser | Mismatch {
  if (body["address"] === known.address) return known;
  return { expected: "to be returned for a repeated Open with the same Idempotency-Key", seen: "another address" };
}

function judgeCloseAll(known: KnownBrowser, { body }: Answered, { ends }: Act): KnownBrowser | Mismatch {
  const count = known.state === "closed" ? 0 : 1;
  if (body["closed"] !== count) return { expected: `closed ${count}`, seen: JSON.stringify(body["closed"]) };
  if (count === 0) return known;
  for (const closing of ends) {
    if (closing?.code === 1000 && closing.reason === "browser closed: requested") continue;
    return {
      expected: "its clients to be disconnected with 1000 `browser closed: requested`",
      seen: describeClosing(closing),
    };
  }
  return { ...known, state: "closed", causes: [...known.causes, "requested"], desktop: undefined };
}

/** Checks the record that Info, Update or the history returns. */
function judgeRecord(known: KnownBrowser, record: Shown): KnownBrowser | Mismatch {
  const { startedOn, vncpass, desktop } = record;
  const wrong = judgeEnd(known, record) ?? judgeShown(known, record, "shown") ?? judgePassword(known, vncpass);
  if (wrong !== undefined) return wrong;
  const isStarted = known.desktop !== undefined;
  if (desktop !== isStarted) return { expected: `to have desktop ${isStarted}`, seen: JSON.stringify(desktop) };
  return { ...known, startedOn: String(startedOn) };
}

function judgeEnd({ state, causes }: KnownBrowser, shown: Shown): Mismatch | undefined {
  const seen = `state ${JSON.stringify(shown["state"])} with reason ${JSON.stringify(shown["reason"])}`;
  if (state !== "closed") {
    const isRight = shown["state"] === "open" && shown["reason"] === null;
    return isRight ? undefined : { expected: "to be shown as open", seen };
  }
  const isRight = shown["state"] === "closed" && causes.some((cause) => shown["reason"] === cause);
  return isRight ? undefined : { expected: `to be shown as closed: ${[...new Set(causes)].join(" or ")}`, seen };
}
