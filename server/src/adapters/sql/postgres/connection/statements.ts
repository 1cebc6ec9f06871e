import { createHash } from "node:crypto";
import type { ClientBase, PoolClient, QueryResult } from "pg";
import { isNamed } from "../../named.ts";

// https://www.postgresql.org/docs/current/errcodes-appendix.html
/**
 * The name is known or unknown to PostgreSQL, against expectations (42P05, 26000), or a column was added to a result
 * (0A000). In each case, the statement was not executed.
 */
const NOT_EXECUTED = new Set(["42P05", "26000", "0A000"]);

/** Names of texts. There are as many as statements that are marked. */
const names = new Map<string, string>();

/** Executes statements over a connection. */
export type Statements = {
  execute(text: string, parameters: readonly unknown[]): Promise<QueryResult>;
};

/**
 * Gives names to marked statements, so that PostgreSQL keeps their plans, but only where the connection leads to
 * PostgreSQL itself. A pooler may execute a statement over another connection than the one that knows the name.
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

/**
 * Whether the process that answered the connection's start also executes its queries. A pooler makes up the process ids
 * that it tells its clients, because a cancellation names one.
 */
export async function isDirect(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return "processID" in client && client.processID === rows[0]?.pid;
}

function toName(text: string): string {
  const name = names.get(text) ?? createHash("sha256").update(text).digest("base64url");
  names.set(text, name);
  return name;
}
