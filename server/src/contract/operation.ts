import type { operations as Wire } from "@remote-browser/contract/types";
import type { OperationId } from "@remote-browser/contract/operations";
import type { Account } from "../domain/account/account.ts";

/** The body of an operation's request, as the contract spells it; undefined where it has none. */
export type RequestBody<Id extends OperationId> = Wire[Id] extends {
  requestBody?: { content: { "application/json": infer Body } };
}
  ? Body
  : undefined;

type Responses<Id extends OperationId> = Wire[Id]["responses"];

/** A success that the contract declares for the operation. Everything else is a `Failure`, and thrown. */
export type Answer<Id extends OperationId> = {
  [Status in keyof Responses<Id> & 200]: Responses<Id>[Status] extends { content: { "application/json": infer Body } }
    ? { readonly status: Status; readonly body: Body }
    : never;
}[keyof Responses<Id> & 200];

/** One call of an operation that passed every check the contract's schemas can express. */
export type Call<Id extends OperationId> = {
  readonly account: Account;
  readonly body: RequestBody<Id>;
  /** What addresses handed out in the answer begin with. */
  readonly base: URL;
  /** Aborted when the caller has left. */
  readonly signal: AbortSignal;
};

export type Handlers = { readonly [Id in OperationId]: (call: Call<Id>) => Promise<Answer<Id>> };
