import type { Run } from "../session/run.ts";
import type { Exchange } from "../target/exchange.ts";
import type { Act } from "./answer.ts";
import { explain } from "./explain.ts";
import { EMPTY, type Mismatch, type Model } from "./model.ts";
import { newPlayer } from "./player.ts";
import type { Failing } from "./shrink.ts";
import { type Sequence, type Step, browserOf } from "./step.ts";

/** A sequence that the model can't explain. */
export type Failure = {
  readonly mismatch: Mismatch;
  readonly failing: Failing;
  /** The results up to and including the failure. */
  readonly played: readonly (readonly Act[])[];
  readonly exchanges: readonly Exchange[];
};

export type Outcome = { readonly failure: Failure | undefined; readonly isOpened: boolean };

/**
 * Runs a sequence. Afterwards, sends a command from every connected client, lists the browsers, closes them and lists
 * them again. With contract 1.1, also calls Info for each browser before closing it, and Wait at the end.
 * @returns The failure, if any, and whether a browser was opened.
 * @throws {NoAnswer} When the server can't be reached.
 */
export async function trySequence(run: Run, sequence: Sequence): Promise<Outcome> {
  const hasRecords = run.options.contract !== "1.0";
  const start = run.exchanges.length;
  const played: (readonly Act[])[] = [];
  let models: readonly Model[] = [EMPTY];
  await using player = newPlayer(run);
  const rest = function* (): Generator<readonly Step[]> {
    yield* sequence;
    for (const browser of player.connected) yield [{ do: "ask", browser }];
    yield [{ do: "get" }];
    for (const browser of hasRecords ? player.opened : []) yield [{ do: "info", browser }];
    for (const browser of player.open) yield [{ do: "close", browser, form: "as given" }];
    yield [{ do: "get" }];
    for (const browser of hasRecords ? player.opened : []) yield [{ do: "wait", browser }];
  };
  for (const group of rest()) {
    const acts = await player.play(group);
    if (acts.length > 0) played.push(acts);
    const explained = explain(models, acts);
    if ("expected" in explained) {
      const about = [explained.browser, ...acts.map(({ step }) => browserOf(step))];
      const browsers = new Set(about.filter((each) => each !== undefined));
      const failing = { steps: played.map((each) => each.map(({ step }) => step)), browsers };
      const exchanges = run.exchanges.slice(start);
      return { failure: { mismatch: explained, failing, played, exchanges }, isOpened: true };
    }
    models = explained;
  }
  return { failure: undefined, isOpened: models.some(({ browsers }) => browsers.size > 0) };
}
