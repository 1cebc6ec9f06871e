import type { RawMessageStreamEvent } from "@anthropic-ai/sdk/resources/messages";
import { Failure } from "../../domain/failure.ts";
import { ProviderFault } from "./provider-failure.ts";

/** More than any model writes: limits a stream that never ends. */
const MAX_ANSWER_CHARS = 4 * 2 ** 20;

/**
 * Reads a stream of the Messages API to its end.
 * @returns The answer's text, without thoughts.
 * @throws {Failure} `ResponseRefused` when the model declines; `ProviderError` when the answer is incomplete or empty.
 * @throws {Error} The error of the stream itself.
 */
export async function readAnswer(events: AsyncIterable<RawMessageStreamEvent>): Promise<string> {
  let text = "";
  let stopReason: string | null = null;
  let isWhole = false;
  for await (const event of events) {
    if (event.type === "content_block_delta" && event.delta.type === "text_delta") text += event.delta.text;
    if (event.type === "message_delta") stopReason = event.delta.stop_reason;
    if (event.type === "message_stop") isWhole = true;
    if (text.length > MAX_ANSWER_CHARS) throw unusable("it is too long");
  }
  if (!isWhole) throw unusable("it was cut off");
  switch (stopReason) {
    case "end_turn":
    case "stop_sequence":
      if (text.trim() === "") throw unusable("it is empty");
      return text;
    case "refusal":
      throw new Failure("ResponseRefused", "The language model declined to answer: change the prompt or the document.");
    case "max_tokens":
      throw unusable("it is longer than this deployment allows (RBS_AI_MAX_OUTPUT_TOKENS); ask for less");
    case "model_context_window_exceeded":
      throw unusable("the document is longer than the model can read (RBS_AI_MAX_INPUT_CHARS)");
    case "tool_use":
    case "pause_turn":
    case null:
    default:
      throw unusable("it has an unexpected end");
  }
}

function unusable(why: string): Failure {
  const cause = new ProviderFault(`The answer is unusable: ${why}`);
  return new Failure("ProviderError", `The language model's answer is unusable: ${why}.`, { cause });
}
