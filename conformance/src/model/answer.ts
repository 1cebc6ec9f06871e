import type { Closing } from "../target/socket.ts";
import type { Received } from "../target/exchange.ts";
import { toErrorBody } from "../session/expect.ts";
import { toObject } from "../target/json.ts";
import type { Mismatch } from "./model.ts";
import type { Step } from "./step.ts";

/** The result of one step. */
export type Answer =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly name: string | undefined;
      /** The paths in the errors of a `BadRequest`. */
      readonly paths: readonly string[];
      readonly body: Readonly<Record<string, unknown>>;
    }
  /** A DevTools client connected. `isAnswered`: whether the browser responded to the client's command. */
  | { readonly kind: "connected"; readonly isAnswered: boolean }
  | { readonly kind: "disconnected" }
  /** A viewer connected. `isIn`: whether the server accepted the viewer's password. */
  | { readonly kind: "watched"; readonly isIn: boolean; readonly password: string }
  /** The result of `Browser.close`: how the connection closed, and whether the browser left the list in time. */
  | { readonly kind: "quit"; readonly closing: Closing | undefined; readonly isGone: boolean }
  | { readonly kind: "silence"; readonly why: string };

/** A step and its result. */
export type Act = {
  readonly step: Step;
  readonly answer: Answer;
  /** The label of an Open request. */
  readonly label?: string;
  /** How the step closed the connections of the browser's clients. Undefined for connections that remained open. */
  readonly ends: readonly (Closing | undefined)[];
};

export function toAnswer({ status, json }: Pick<Received, "status" | "json">): Answer {
  const { name, errors } = toErrorBody(json);
  return {
    kind: "answered",
    status,
    name: typeof name === "string" ? name : undefined,
    paths: errors.map(({ path }) => path),
    body: toObject(json),
  };
}

/** `404 BrowserNotFound` */
export function describeAnswer(answer: Answer): string {
  switch (answer.kind) {
    case "answered":
      return answer.name === undefined ? String(answer.status) : `${answer.status} ${answer.name}`;
    case "connected":
      return answer.isAnswered ? "connected, command answered" : "connected, command not answered";
    case "watched":
      return answer.isIn ? "accepted" : "not accepted";
    case "disconnected":
      return "disconnected";
    case "quit":
      return answer.isGone ? `ended, ${describeClosing(answer.closing)}` : "still listed";
    case "silence":
      return `no answer (${answer.why})`;
  }
}

export function describeClosing(closing: Closing | undefined): string {
  return closing === undefined
    ? "the connection remained open"
    : `the connection closed with ${closing.code} \`${closing.reason}\``;
}

/** Whether Open failed because the account or machine is full or the kind of browser isn't installed. */
export function isNoRoom(answer: Answer): boolean {
  const refusals = { NoSubscription: 402, NoUnits: 403, BrowserLimit: 404, BrowserUnavailable: 503 };
  return Object.entries(refusals).some(([name, status]) => isName(answer, name, status));
}

export type Answered = Extract<Answer, { kind: "answered" }>;

export function isStatus(answer: Answer, status: number): answer is Answered {
  return answer.kind === "answered" && answer.status === status;
}

export function isName(answer: Answer, name: string, status: number): answer is Answered {
  return isStatus(answer, status) && answer.name === name;
}

/** Reports a result that differs from the expected result. */
export function refuse(expected: string, answer: Answer): Mismatch {
  return { expected, seen: describeAnswer(answer) };
}
