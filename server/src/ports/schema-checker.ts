import type { JsonSchema } from "../domain/query/response-format.ts";

/** One thing that is wrong with a value. */
export type SchemaProblem = {
  /** Said of a place in the value: `/items/0/price must be number`. */
  readonly inValue: string;
  /** Said with words of the schema only, so that nothing of the value is told: `price must be number`. */
  readonly inSchema: string;
};

/** Checks by JSON Schemas of strangers, which may be wrong, or written to take for ever. */
export interface SchemaChecker {
  /** @throws {Failure} `BadRequest` with the reason when the schema cannot be checked by; `signal.reason` when aborted. */
  accept(schema: JsonSchema, signal: AbortSignal): Promise<void>;
  /**
   * @param json The value as JSON, which parses.
   * @returns The first few things that are wrong; none when the value matches.
   * @throws {Failure} `BadRequest` when the check takes too long; `signal.reason` when that is aborted.
   */
  findProblems(schema: JsonSchema, json: string, signal: AbortSignal): Promise<readonly SchemaProblem[]>;
}
