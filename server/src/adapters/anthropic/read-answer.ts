import type { RawMessageStreamEvent } from "@anthropic-ai/sdk/resources/messages";
import { Failure } from "../../domain/failure.ts";
import { ProviderFault } from "./provider-failure.ts";

/** No model writes as much; a stream that goes on for ever ends here. */
const MAX_ANSWER_CHARS = 4 * 2 ** 20;

/**
 * Reads a stream of the Messages API to its end.
 * @returns The answer's text; thoughts are none of it.
 * @throws {Failure} `ResponseRefused` when the model declines; `ProviderError` when the answer is cut short or empty.
 * @throws {Error} Whatever the stream itself fails with.
 */
export async function readAnswer(events: AsyncIterable<RawMessageStreamEvent>): Promise<string> {
  let text = "";
  let stopReason: string | null = null;
  let isWhole = false;
  for await (const event of events) {
    if (event.type === "content_block_delta" && event.delta.type === "text_delta") text += event.delta.text;
    if (event.type === "message_delta") stopReason = event.delta.stop_reason;
    if (event.type === "message_stop") isWhole = true;
    if (text.length > MAX_ANSWER_CHARS) throw cutShort("it is endless");
  }
  if (!isWhole) throw cutShort("it broke off");
  switch (stopReason) {
    case "end_turn":
    case "stop_sequence":
      if (text.trim() === "") throw cutShort("it is empty");
      return text;
    case "refusal":
      throw new Failure("ResponseRefused", "The language model declined to answer: change the prompt or the document.");
    case "max_tokens":
      throw cutShort("it is longer than this deployment allows (RBS_AI_MAX_OUTPUT_TOKENS); ask for less");
    case "model_context_window_exceeded":
      throw cutShort("the document is longer than the model can read (RBS_AI_MAX_INPUT_CHARS)");
    case "tool_use":
    case "pause_turn":
    case null:
    default:
      throw cutShort("it has no proper end");
  }
}

function cutShort(why: string): Failure {
  const cause = new ProviderFault(`The answer is of no use: ${why}`);
  return new Failure("ProviderError", `The language model's answer is of no use: ${why}.`, { cause });
}
