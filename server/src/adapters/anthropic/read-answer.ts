import type { RawMessageStreamEvent, Usage } from "@anthropic-ai/sdk/resources/messages";
import { Failure } from "../../domain/failure.ts";
import { ProviderFault } from "./provider-failure.ts";

/** Limits endless streams. No model writes an answer this long. */
const MAX_ANSWER_CHARS = 4 * 2 ** 20;

/**
 * Reads a stream of the Messages API to its end.
 * @param onTokens Called once with the tokens read and written so far, however the stream ends.
 * @returns The text of the answer, without the model's thinking.
 * @throws {Failure} `ResponseRefused` if the model declines; `ProviderError` if the answer is incomplete or empty.
 * @throws {Error} The stream's own error.
 */
export async function readAnswer(
  events: AsyncIterable<RawMessageStreamEvent>,
  onTokens: (tokens: number) => void,
): Promise<string> {
  let text = "";
  let stopReason: string | null = null;
  let isWhole = false;
  let [read, written] = [0, 0];
  try {
    for await (const event of events) {
      if (event.type === "message_start") [read, written] = countTokens(event.message.usage);
      if (event.type === "content_block_delta" && event.delta.type === "text_delta") text += event.delta.text;
      if (event.type === "message_delta") {
        stopReason = event.delta.stop_reason;
        written = event.usage?.output_tokens ?? written;
      }
      if (event.type === "message_stop") isWhole = true;
      if (text.length > MAX_ANSWER_CHARS) throw unusable("it is too long");
    }
  } finally {
    onTokens(read + written);
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
      throw unusable("it ends unexpectedly");
  }
}

/** Gateways may omit some of these counts. */
function countTokens(usage: Partial<Usage> = {}): [read: number, written: number] {
  const {
    input_tokens = 0,
    cache_creation_input_tokens: made,
    cache_read_input_tokens: cached,
    output_tokens = 0,
  } = usage;
  return [input_tokens + (made ?? 0) + (cached ?? 0), output_tokens];
}

function unusable(why: string): Failure {
  const cause = new ProviderFault(`The answer is unusable: ${why}`);
  return new Failure("ProviderError", `The language model's answer is unusable: ${why}.`, { cause });
}
