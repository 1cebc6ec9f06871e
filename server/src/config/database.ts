import { z } from "zod";
import { numberFrom } from "./setting-kinds.ts";

/** A PostgreSQL database, which several servers can share. */
export type Database = {
  readonly url: string;
  /** The URL for direct connections to PostgreSQL, without a connection pooler. */
  readonly directUrl: string;
  /**
   * How long a server keeps its browsers open while it can't reach the database, in ms. Undefined: forever. Applies
   * only if other servers use the same database.
   */
  readonly fenceMs: number | undefined;
};

const DEFAULT_FENCE_S = 900;

const databaseUrl = z
  .string()
  .refine((text) => /^postgres(ql)?:$/.test(URL.parse(text)?.protocol ?? ""), "must be a postgres:// URL");

export const databaseSettings = z.object({
  RBS_DATABASE_URL: databaseUrl.optional(),
  RBS_DATABASE_DIRECT_URL: databaseUrl.optional(),
  RBS_FENCE_S: numberFrom(0, 86_400).optional(),
  RBS_SECRET_KEY: z
    .string()
    .refine(
      (text) => /^[\w+/-]{43}=?(\s+[\w+/-]{43}=?)*\s*$/.test(text),
      "must have one base64-encoded 32-byte key per line",
    )
    .optional(),
  RBS_HISTORY_DAYS: numberFrom(1, 36_500).optional(),
});

type Settings = z.infer<typeof databaseSettings>;

/** Returns a message about a conflict between settings, or undefined if there is none. */
export function findDatabaseFault({ RBS_DATABASE_URL: url, ...other }: Settings): string | undefined {
  if (url === undefined && other.RBS_DATABASE_DIRECT_URL !== undefined)
    return "RBS_DATABASE_DIRECT_URL needs RBS_DATABASE_URL";
  if (url === undefined && other.RBS_FENCE_S !== undefined) return "RBS_FENCE_S needs RBS_DATABASE_URL";
  if (url !== undefined && other.RBS_SECRET_KEY === undefined) {
    return "RBS_DATABASE_URL needs RBS_SECRET_KEY_FILE, with the same key for all servers of the database: openssl rand -base64 32 > secret.key";
  }
  return undefined;
}

export function toDatabase({
  RBS_DATABASE_URL: url,
  RBS_DATABASE_DIRECT_URL: directUrl = url,
  RBS_FENCE_S: fenceS = DEFAULT_FENCE_S,
}: Settings): Database | undefined {
  if (url === undefined || directUrl === undefined) return undefined;
  return { url, directUrl, fenceMs: fenceS === 0 ? undefined : fenceS * 1000 };
}
