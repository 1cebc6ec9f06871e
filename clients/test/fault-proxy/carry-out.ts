import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { OperationId } from "@remote-browser/contract/operations";
import { findAnywhere, findDeclared, findSuccess } from "./error-answers.ts";
import { kindOfFormat } from "../query-examples.ts";
import type { Act, JsonObject } from "./faults.ts";
import { type Answer, type Passed, forward } from "./forward.ts";

/** The server behind the proxy. */
export type Target = {
  readonly url: string;
  /** Whether the server is Prism, which returns the example that a request prefers. */
  readonly isMock: boolean;
};

type Work = {
  readonly act: Act;
  readonly operation: OperationId | undefined;
  readonly passed: Passed;
  readonly response: ServerResponse;
  readonly target: Target;
  /** Aborted when the proxy stops. */
  readonly ended: AbortSignal;
  /** Called with the status before the client receives it. */
  readonly note: (status: number) => void;
};

/** Performs an act, and resolves when the response is complete. */
export async function carryOut(work: Work): Promise<void> {
  const { act, passed, response, ended } = work;
  switch (act.kind) {
    case "pass":
      return answer(work, change(await ask(work, preferred(work)), act.change));
    case "refuse":
      return answer(work, await refuse(work, act));
    case "answer":
      return answer(work, { ...act, body: Buffer.from(act.body) });
    case "silence":
      return;
    case "half":
      return beginOnly(work);
    case "cut":
      // The server handles the request even if the client has disconnected.
      await forward({ ...passed, headers: preferred(work) }, ended);
      response.destroy();
      return;
  }
}

/** Forwards the request. If the client disconnects, the request is aborted, as it would be without the proxy. */
async function ask({ passed, response, ended }: Work, headers: IncomingHttpHeaders): Promise<Answer> {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  response.once("close", leave);
  try {
    return await forward({ ...passed, headers }, AbortSignal.any([gone.signal, ended]));
  } finally {
    response.off("close", leave);
  }
}

function preferred({ act, operation, passed, target }: Work): IncomingHttpHeaders {
  const preference = target.isMock ? toPreference(operation, passed.body, act) : undefined;
  return preference === undefined ? passed.headers : { ...passed.headers, prefer: preference };
}

async function refuse(work: Work, { name, retryAfterS }: Extract<Act, { kind: "refuse" }>): Promise<Answer> {
  const { operation, passed, target } = work;
  const isTimed = retryAfterS !== undefined;
  const declared = findDeclared(name, operation, isTimed);
  const { status, example, body } = declared ?? findAnywhere(name, isTimed);
  const headers = {
    "content-type": "application/json",
    "x-request-id": body.requestId,
    ...(status === 401 ? { "www-authenticate": "Bearer" } : {}),
    ...(status === 405 ? { allow: "POST" } : {}),
    ...(isTimed ? { "retry-after": String(retryAfterS) } : {}),
  };
  if (declared === undefined || !target.isMock) return { status, headers, body: Buffer.from(JSON.stringify(body)) };
  const prefer = `code=${status}, example=${example}`;
  const answered = await ask(work, { ...passed.headers, prefer });
  // Prism sends every declared header, including headers that only some errors have.
  return { ...answered, headers };
}

function change(answered: Answer, how: ((answer: JsonObject) => JsonObject) | undefined): Answer {
  if (how === undefined || answered.status !== 200) return answered;
  const changed = how(JSON.parse(answered.body.toString()) as JsonObject);
  return { ...answered, body: Buffer.from(JSON.stringify(changed)) };
}

function answer({ response, note }: Work, { status, headers, body }: Answer): void {
  note(status);
  response.writeHead(status, { ...headers, "content-length": body.length }).end(body);
}

function beginOnly({ operation, response, note }: Work): void {
  const body = Buffer.from(JSON.stringify(findSuccess(operation)));
  note(200);
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
  response.write(body.subarray(0, Math.floor(body.length / 2)));
}

/** Returns the `Prefer` value that selects Prism's example. By default, Prism returns the first example. */
function toPreference(operation: OperationId | undefined, body: Buffer, act: Act): string | undefined {
  if (operation === "queryAi") return `code=200, example=${kindOfFormat(readFormat(body))}`;
  const needsSessions = operation === "getBrowsers" && act.kind === "pass" && act.change !== undefined;
  return needsSessions ? "code=200, example=two" : undefined;
}

function readFormat(body: Buffer): string | undefined {
  return (JSON.parse(body.toString()) as { readonly responseFormat?: string }).responseFormat;
}
