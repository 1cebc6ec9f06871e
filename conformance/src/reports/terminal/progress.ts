import { setInterval } from "node:timers";
import type { RuleId } from "../../contract/vocabulary.ts";
import type { RuleResult, Verdict } from "../../run/verdict.ts";
import { toPrintableLine } from "../printable.ts";
import { newPaint, ENDING_FORMAT } from "./style.ts";

/** Usually `process.stderr`. */
type ProgressStream = {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
};

/** Shows the progress of a run. Dispose removes the progress line, and can be called twice. */
type Progress = Disposable & { onResult(result: RuleResult): void };

/** Update interval of the time in the progress line. */
const TICK_MS = 1000;
const BAR_WIDTH = 20;
const CLEAR = "\r\u001B[2K";
/** Verdicts that are written on their own line above the progress line. */
const NEWS: ReadonlySet<Verdict> = new Set(["fail", "warn", "inconclusive"]);

/**
 * On a terminal, updates one line; elsewhere, writes a line per rule.
 * @param options.sentences The sentences that the run tests, by rule.
 */
export function progressReporter(
  stream: ProgressStream,
  { sentences, isColoured }: { readonly sentences: ReadonlyMap<RuleId, string>; readonly isColoured: boolean },
): Progress {
  const paint = newPaint(isColoured);
  const total = sentences.size;
  const sentenceOf = (rule: RuleId): string => toPrintableLine(sentences.get(rule) ?? "").replaceAll(/\s+/g, " ");
  const startedAt = Date.now();
  const seen = new Map<Verdict, number>();
  let done = 0;
  let last = "";
  let isOver = false;

  const toNews = ({ rule, verdict, reason, findings: [first], durationMs }: RuleResult): string => {
    const why = first === undefined ? (reason ?? "") : `expected ${first.expected}, but saw ${first.seen}`;
    const head = `${paint(ENDING_FORMAT[verdict], verdict.padEnd(12))} ${rule.padEnd(15)} ${toSeconds(durationMs)}`;
    return `${head}  ${why === "" ? paint("dim", cut(sentenceOf(rule), 80)) : cut(toPrintableLine(why), 240)}`;
  };
  const draw = (): void => {
    const filled = total === 0 ? BAR_WIDTH : Math.min(BAR_WIDTH, Math.round((done / total) * BAR_WIDTH));
    const parts = [...NEWS].flatMap((verdict) => (seen.has(verdict) ? [`${seen.get(verdict)} ${verdict}`] : []));
    const bar = `${"█".repeat(filled)}${"░".repeat(BAR_WIDTH - filled)}`;
    const line = [`${bar} ${done}/${total}`, toSeconds(Date.now() - startedAt).trim(), ...parts, last]
      .filter((each) => each !== "")
      .join("  ");
    stream.write(`${CLEAR}${cut(line, (stream.columns ?? 80) - 1)}`);
  };

  const timer = stream.isTTY === true ? setInterval(draw, TICK_MS).unref() : undefined;
  if (timer !== undefined) draw();
  return {
    onResult(result) {
      if (isOver) return;
      done += 1;
      last = `${result.rule} ${sentenceOf(result.rule)}`;
      seen.set(result.verdict, (seen.get(result.verdict) ?? 0) + 1);
      if (timer === undefined) {
        const digits = String(total).length;
        stream.write(`[${String(done).padStart(digits)}/${total}] ${toNews(result)}\n`);
        return;
      }
      if (NEWS.has(result.verdict)) stream.write(`${CLEAR}${toNews(result)}\n`);
      draw();
    },
    [Symbol.dispose]() {
      if (isOver) return;
      isOver = true;
      clearInterval(timer);
      if (timer !== undefined) stream.write(CLEAR);
    },
  };
}

function toSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`.padStart(7);
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, Math.max(0, length - 1))}…`;
}
