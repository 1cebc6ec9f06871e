import { z } from "zod";
import { isLoopback } from "../domain/network/known-host.ts";
import { baseUrl, numberFrom } from "./setting-kinds.ts";

const MAX_TOKENS = 1e12;

/** How AI Query calls its provider. */
export type AiConfig = {
  /** Undefined: only accounts with their own provider key can use AI Query. */
  readonly apiKey: string | undefined;
  /** Undefined: the provider's default address. */
  readonly baseUrl: URL | undefined;
  readonly model: string;
  /** Time limit of one query. */
  readonly timeoutMs: number;
  /** The largest prompt and reduced page that the server sends, in characters. */
  readonly maxInputChars: number;
  /** The longest answer, in tokens. */
  readonly maxOutputTokens: number;
  /** How many queries run at the same time. */
  readonly parallel: number;
  /** How many of them one account may run. */
  readonly accountParallel: number;
  /** Tokens a day (UTC) with the deployment's key, of one account and of all; undefined: no limit. */
  readonly accountTokensPerDay: number | undefined;
  readonly tokensPerDay: number | undefined;
};

export const aiSettings = z.object({
  RBS_AI_MODEL: z.string().default("claude-haiku-5-5"),
  // Networks between the server and the provider cut connections that are silent for 5 minutes.
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
      "must begin with https://: keys and pages go there",
    )
    .optional(),
});

export function toAiConfig(settings: z.infer<typeof aiSettings>): AiConfig {
  return {
    apiKey: settings.ANTHROPIC_API_KEY,
    baseUrl: settings.ANTHROPIC_BASE_URL,
    model: settings.RBS_AI_MODEL,
    timeoutMs: settings.RBS_AI_TIMEOUT_S * 1000,
    maxInputChars: settings.RBS_AI_MAX_INPUT_CHARS,
    maxOutputTokens: settings.RBS_AI_MAX_OUTPUT_TOKENS,
    parallel: settings.RBS_AI_PARALLEL,
    // One account can take only half of them, which leaves room for others.
    accountParallel: settings.RBS_AI_ACCOUNT_PARALLEL ?? Math.ceil(settings.RBS_AI_PARALLEL / 2),
    accountTokensPerDay: settings.RBS_AI_ACCOUNT_TOKENS_PER_DAY,
    tokensPerDay: settings.RBS_AI_TOKENS_PER_DAY,
  };
}
