import type { LanguageModel, Question } from "../../src/ports/language-model.ts";

/** A model that returns a test's predefined answers in order. */
export class FakeModel implements LanguageModel {
  readonly requests: { readonly question: Question; readonly credential: string }[] = [];
  /** The next answers: text, or an error to reject with. The last answer repeats. */
  answers: (string | Error)[] = ["Yes."];
  /** If true, `answer` never resolves; it rejects when the caller aborts. */
  isHanging = false;

  /** The tokens that each question uses. */
  tokens = 10;

  async answer(
    question: Question,
    credential: string,
    onTokens: (tokens: number) => void,
    signal: AbortSignal,
  ): Promise<string> {
    this.requests.push({ question, credential });
    onTokens(this.tokens);
    signal.throwIfAborted();
    if (this.isHanging) {
      await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    }
    const answer = (this.answers.length > 1 ? this.answers.shift() : this.answers[0]) ?? "";
    if (answer instanceof Error) throw answer;
    return answer;
  }
}
