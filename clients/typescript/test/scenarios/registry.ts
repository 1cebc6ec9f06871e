import { firstVersion, newError, newMembers, notJson, notOurs, thinError } from "./answers.ts";
import { attach, closeEnded, closesItself, desktop, keepOpen, lifecycle, options } from "./browsers.ts";
import { lateAnswer, lateBody, refused, total } from "./connections.ts";
import { drive } from "./drive.ts";
import { queryJson, queryMisfit, queryNoValue, queryNumber, queryText, queryTyped } from "./queries.ts";
import { readme } from "./readme.ts";
import { refusal } from "./refusals.ts";
import { account, closeAll, closed, history, info, sessionMethods, tags, update } from "./records.ts";
import {
  bounded,
  closeAgain,
  listAgain,
  notInstalled,
  openAgain,
  openKey,
  openOnce,
  queryOnce,
  rate,
  updateAgain,
  whenTold,
} from "./retries.ts";
import type { Play } from "./scene.ts";
import { screen, screenshot, waitForPlace } from "./screens.ts";
import { environment, noToken, secrets } from "./secrets.ts";

const PLAYS: Readonly<Record<string, Play>> = {
  lifecycle,
  "close-ended": closeEnded,
  "closes-itself": closesItself,
  options,
  screen,
  "wait-for-place": waitForPlace,
  screenshot,
  "keep-open": keepOpen,
  attach,
  desktop,
  tags,
  info,
  closed,
  update,
  history,
  "close-all": closeAll,
  account,
  "session-methods": sessionMethods,
  "query-text": queryText,
  "query-json": queryJson,
  "query-typed": queryTyped,
  "query-number": queryNumber,
  "query-misfit": queryMisfit,
  "query-no-value": queryNoValue,
  "error.new": newError,
  "error.thin": thinError,
  "error.not-ours": notOurs,
  "answer.not-json": notJson,
  "answer.new-members": newMembers,
  "answer.first-version": firstVersion,
  "retry.when-told": whenTold,
  "retry.rate": rate,
  "retry.bounded": bounded,
  "retry.not-installed": notInstalled,
  "retry.open-again": openAgain,
  "retry.open-key": openKey,
  "retry.open-once": openOnce,
  "retry.query-once": queryOnce,
  "retry.list-again": listAgain,
  "retry.update-again": updateAgain,
  "retry.close-again": closeAgain,
  "connection.refused": refused,
  "timeout.answer": lateAnswer,
  "timeout.body": lateBody,
  "timeout.total": total,
  "settings.environment": environment,
  "settings.no-token": noToken,
  secrets,
  drive,
  readme,
};

/** @throws {Error} If this client doesn't implement the scenario. */
export function playOf(id: string, isError: boolean): Play {
  const play = isError ? refusal : PLAYS[id];
  if (play === undefined) throw new Error(`The TypeScript client has no scenario ${id}.`);
  return play;
}
