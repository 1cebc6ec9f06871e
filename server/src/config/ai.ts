import { z } from "zod";
import { isLoopback } from "../domain/network/known-host.ts";
import { baseUrl, numberFrom } from "./setting-kinds.ts";

const MAX_TOKENS = 1e12;

export const aiSettings = z.object({
  RBS_AI_MODEL: z.string().default("claude-haiku-5-5"),
  // Networks between the server and the provider drop connections that are idle for 5 minutes.
  RBS_AI_TIMEOUT_S: numberFrom(1, 300, "a number").default(120),
  RBS_AI_MAX_INPUT_CHARS: numberFrom(1000, 4 * 2 ** 20).default(250_000),
  RBS_AI_MAX_OUTPUT_TOKENS: numberFrom(16, 128_000).default(16_384),
  RBS_AI_PARALLEL: numberFrom(1, 1000).default(16),
  RBS_AI_ACCOUNT_PARALLEL: numberFrom(1, 1000).optional(),
  RBS_AI_TOKENS_PER_DAY: numberFrom(0, MAX_TOKENS).optional(),
  RBS_AI_ACCOUNT_TOKENS_PER_DAY: numberFrom(0, MAX_TOKENS).optional(),
  ANTHROPIC_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, "must not contain whitespace")
    .optional(),
  ANTHROPIC_BASE_URL: baseUrl
    .refine(
      ({ protocol, hostname }) => protocol === "https:" || isLoopback(hostname),
      "must begin with https://, because keys and page content are sent to it",
    )
    .optional(),
});

/** Returns the AI Query settings. */
export function toAiConfig(settings: z.output<typeof aiSettings>) {
  return {
    /** Undefined: only accounts with their own provider key can use AI Query. */
    apiKey: settings.ANTHROPIC_API_KEY,
    /** Undefined: the provider's default address. */
    baseUrl: settings.ANTHROPIC_BASE_URL,
    model: settings.RBS_AI_MODEL,
    /** Time limit per query, in ms. */
    timeoutMs: settings.RBS_AI_TIMEOUT_S * 1000,
    /** Maximum length of the prompt and the reduced page that the server sends, in characters. */
    maxInputChars: settings.RBS_AI_MAX_INPUT_CHARS,
    /** Maximum length of an answer, in tokens. */
    maxOutputTokens: settings.RBS_AI_MAX_OUTPUT_TOKENS,
    /** Maximum number of simultaneous queries. */
    parallel: settings.RBS_AI_PARALLEL,
    /** Maximum number of simultaneous queries per account. The default leaves half for other accounts. */
    accountParallel: settings.RBS_AI_ACCOUNT_PARALLEL ?? Math.ceil(settings.RBS_AI_PARALLEL / 2),
    /** Daily token limits (UTC) for the deployment's key, per account and in total. Undefined: unlimited. */
    accountTokensPerDay: settings.RBS_AI_ACCOUNT_TOKENS_PER_DAY,
    tokensPerDay: settings.RBS_AI_TOKENS_PER_DAY,
  };
}
