import { createHash } from "node:crypto";
import type { ClientBase, PoolClient, QueryResult } from "pg";
import { isNamed } from "../../named.ts";

/**
 * Errors of statements that weren't executed: the name already exists (42P05), the name doesn't exist (26000), or the
 * result has a new column (0A000). See https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const NOT_EXECUTED = new Set(["42P05", "26000", "0A000"]);

/** Statement names, keyed by the statement's text. */
const names = new Map<string, string>();

export type Statements = {
  execute(text: string, parameters: readonly unknown[]): Promise<QueryResult>;
};

/**
 * Names marked statements, so that PostgreSQL keeps their plans. Statements sent through a pooler aren't named, because
 * the pooler may use a connection that doesn't know the name.
 */
export function newStatements(client: PoolClient): Statements {
  let canName: boolean | undefined;
  return {
    async execute(text, parameters) {
      const values = [...parameters];
      if (isNamed(text)) canName ??= await isDirect(client);
      if (!isNamed(text) || canName === false) return client.query(text, values);
      try {
        return await client.query({ name: toName(text), text, values });
      } catch (error) {
        if (!NOT_EXECUTED.has(String((error as { code?: unknown }).code))) throw error;
        canName = false;
        return client.query(text, values);
      }
    },
  };
}

/** Whether the client is connected to PostgreSQL itself. Poolers send fictitious process ids to clients. */
export async function isDirect(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return "processID" in client && client.processID === rows[0]?.pid;
}

function toName(text: string): string {
  const name = names.get(text) ?? createHash("sha256").update(text).digest("base64url");
  names.set(text, name);
  return name;
}
