import type { JsonSchema } from "../domain/query/response-format.ts";
import type { Caller } from "./threads.ts";

export type SchemaProblem = {
  /** Includes the location in the value: `/items/0/price must be number`. */
  readonly inValue: string;
  /** Names the location in the schema, without revealing the value: `price must be number`. */
  readonly inSchema: string;
};

/** Checks values against JSON Schemas from clients. A schema may be invalid, or deliberately slow to evaluate. */
export interface SchemaChecker {
  /** @throws {Failure} `BadRequest` if the schema is unusable; `signal.reason` if the signal is aborted. */
  accept(schema: JsonSchema, caller: Caller): Promise<void>;
  /**
   * @param json The value as valid JSON.
   * @returns The first few problems; empty if the value matches.
   * @throws {Failure} `BadRequest` if the check takes too long; `signal.reason` if the signal is aborted.
   */
  findProblems(schema: JsonSchema, json: string, caller: Caller): Promise<readonly SchemaProblem[]>;
}
