import type { operations as Wire } from "@remote-browser/contract/types";
import type { OperationId } from "@remote-browser/contract/operations";
import type { Account } from "../domain/account/account.ts";

/** An operation's JSON body in the contract's spelling, or its query; undefined for operations without either. */
export type RequestBody<Id extends OperationId> = Wire[Id] extends { parameters: { query: infer Query } }
  ? Query
  : Wire[Id] extends { requestBody?: { content: { "application/json": infer Body } } }
    ? Body
    : undefined;

type Responses<Id extends OperationId> = Wire[Id]["responses"];

/** A success response that the contract declares for the operation. All other outcomes are thrown as a `Failure`. */
export type Answer<Id extends OperationId> = Id extends OperationId
  ? {
      [Status in keyof Responses<Id> & 200]: Responses<Id>[Status] extends { content: infer Content }
        ? { readonly status: Status } & AnswerBody<Content>
        : never;
    }[keyof Responses<Id> & 200]
  : never;

/** JSON, or bytes of one of the declared media types. */
type AnswerBody<Content> = Content extends { "application/json": infer Body }
  ? { readonly body: Body }
  : { readonly type: keyof Content & string; readonly bytes: Uint8Array };

/** An operation call. Its body matches the contract's schema. */
export type Call<Id extends OperationId> = {
  readonly account: Account;
  readonly body: RequestBody<Id>;
  /** Returns the value of a request header. */
  readonly header: (name: string) => string | undefined;
  /** The URL that all returned addresses start with. */
  readonly base: URL;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
  /**
   * Disposes of a resource when the response has been written or the caller has disconnected. A separate limit applies
   * to response bytes that the caller hasn't read.
   */
  readonly keepUntilWritten: (kept: Disposable) => void;
};

export type Handlers = { readonly [Id in OperationId]: (call: Call<Id>) => Promise<Answer<Id>> };
