import type { LanguageModel, Question } from "../../src/ports/language-model.ts";

/** A model that answers what a test has told it to, one answer after the other. */
export class FakeModel implements LanguageModel {
  readonly asked: { readonly question: Question; readonly credential: string }[] = [];
  /** What comes next: text, or an error to reject with. The last one stays. */
  answers: (string | Error)[] = ["Yes."];
  /** While set, nothing is answered; rejects when the caller leaves. */
  isHanging = false;

  async answer(question: Question, credential: string, signal: AbortSignal): Promise<string> {
    this.asked.push({ question, credential });
    signal.throwIfAborted();
    if (this.isHanging) {
      await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    }
    const answer = (this.answers.length > 1 ? this.answers.shift() : this.answers[0]) ?? "";
    if (answer instanceof Error) throw answer;
    return answer;
  }
}
