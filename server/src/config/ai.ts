import { z } from "zod";
import { baseUrl, numberFrom } from "./setting-kinds.ts";

/** How AI Query asks its provider. */
export type AiConfig = {
  /** Undefined: no page can be asked about. */
  readonly apiKey: string | undefined;
  /** Undefined: the provider's own address. */
  readonly baseUrl: URL | undefined;
  readonly model: string;
  /** For one query. */
  readonly timeoutMs: number;
  /** Characters of prompt and reduced page that are sent at most. */
  readonly maxInputChars: number;
  /** Tokens of one answer at most. */
  readonly maxOutputTokens: number;
  /** Queries that are worked on at once. */
  readonly parallel: number;
};

/** What every program knows that uses the provider. A mistake in these is told without the value. */
export const OF_PROVIDER: ReadonlySet<string> = new Set(["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"]);

/** The settings of AI Query, as they stand in the environment. */
export const aiSettings = z.object({
  RBS_AI_MODEL: z.string().default("claude-haiku-5-5"),
  // Connections that say nothing for 5 minutes are cut on the way to the provider.
  RBS_AI_TIMEOUT_S: numberFrom(1, 300, "a number").default(120),
  RBS_AI_MAX_INPUT_CHARS: numberFrom(1000, 4 * 2 ** 20).default(250_000),
  RBS_AI_MAX_OUTPUT_TOKENS: numberFrom(16, 128_000).default(16_384),
  RBS_AI_PARALLEL: numberFrom(1, 1000).default(16),
  ANTHROPIC_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, "must have no white space")
    .optional(),
  ANTHROPIC_BASE_URL: baseUrl.optional(),
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
  };
}
