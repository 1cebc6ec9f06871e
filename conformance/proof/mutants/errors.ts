import type { Mutant } from "../mutant.ts";
import { onAnswer, onFailure, onRefusal } from "./alter.ts";

type Problem = { readonly path: string; readonly message: string };

function onProblems(alter: (problems: readonly Problem[]) => unknown): ReturnType<Mutant["fault"]> {
  return onFailure("BadRequest", ({ body }) => ({
    body: { ...body, errors: alter((body["errors"] ?? []) as readonly Problem[]) },
  }));
}

function without(body: Record<string, unknown>, member: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== member));
}

/** Members of error bodies. */
export const ERROR_MUTANTS: readonly Mutant[] = [
  {
    id: "error-request-id-missing",
    title: "Error bodies have no requestId",
    killedBy: ["RBS-ANSWER-03"],
    fault: () => onRefusal(({ body }) => ({ body: without(body, "requestId") })),
  },
  {
    id: "error-request-id-differs",
    title: "requestId in error bodies differs from the header",
    killedBy: ["RBS-ANSWER-07"],
    fault: () => onRefusal(({ body }) => ({ body: { ...body, requestId: `${String(body["requestId"])}-inner` } })),
  },
  {
    id: "error-name-misspelled",
    title: "The name BrowserNotFound is misspelled as Browsernotfound",
    killedBy: ["RBS-CLOSE-02", "RBS-ANSWER-03", "RBS-ANSWER-09"],
    fault: () => onFailure("BrowserNotFound", ({ body }) => ({ body: { ...body, name: "Browsernotfound" } })),
  },
  {
    id: "error-name-of-another",
    title: "Close of an unknown browser answers NotFound, as for an unknown path",
    killedBy: ["RBS-CLOSE-06", "RBS-ANSWER-09"],
    fault: () => onFailure("BrowserNotFound", ({ body }) => ({ body: { ...body, name: "NotFound" } })),
  },
  {
    id: "error-name-missing",
    title: "Errors have no name",
    killedBy: ["RBS-ANSWER-03", "RBS-ANSWER-09"],
    fault: () => onRefusal(({ body }) => ({ body: without(body, "name") })),
  },
  {
    id: "error-status-text",
    title: "The member status of an error is a string",
    killedBy: ["RBS-ANSWER-03", "RBS-ANSWER-05"],
    fault: () => onRefusal(({ status, body }) => ({ body: { ...body, status: String(status) } })),
  },
  {
    id: "error-message-empty",
    title: "The message of an error is empty",
    killedBy: ["RBS-ANSWER-03", "RBS-FUZZ-05"],
    fault: () => onRefusal(({ body }) => ({ body: { ...body, message: "" } })),
  },
  {
    id: "error-message-tells-token",
    title: "The message about a wrong token repeats the token",
    killedBy: ["RBS-ANSWER-11"],
    fault: () =>
      onRefusal(({ body }, request) => ({
        body: {
          ...body,
          message: `${String(body["message"])} (${request.headers.get("authorization") ?? "no token"})`,
        },
      })),
  },
  {
    id: "error-nested",
    title: "Errors are wrapped in a member error",
    killedBy: ["RBS-ANSWER-03"],
    fault: () => onRefusal(({ body }) => ({ body: { error: body } })),
  },
  {
    id: "error-problems-missing",
    title: "A BadRequest has no errors",
    killedBy: ["RBS-ANSWER-03", "RBS-OPEN-03"],
    fault: () => onFailure("BadRequest", ({ body }) => ({ body: without(body, "errors") })),
  },
  {
    id: "error-problems-empty",
    title: "The errors of a BadRequest are an empty list",
    killedBy: ["RBS-OPEN-03"],
    fault: () => onProblems(() => []),
  },
  {
    id: "error-problems-first-only",
    title: "A BadRequest reports only the first mistake",
    killedBy: ["RBS-BODY-11"],
    fault: () => onProblems((problems) => problems.slice(0, 1)),
  },
  {
    id: "error-path-dotted",
    title: "Paths of errors use dots instead of JSON Pointers",
    killedBy: ["RBS-OPEN-03"],
    fault: () =>
      onProblems((problems) =>
        problems.map(({ path, message }) => ({ path: path.slice(1).replaceAll("/", "."), message })),
      ),
  },
  {
    id: "error-path-in-contracts-spelling",
    title: "Paths of errors always use the contract's spelling",
    killedBy: ["RBS-SPELL-06"],
    fault: () => {
      const toPascal = (path: string): string => path.replaceAll(/\/([a-z])/g, (part) => part.toUpperCase());
      return onAnswer("openBrowser", ({ body }) => {
        const errors = body["errors"] as readonly Problem[] | undefined;
        if (errors === undefined) return {};
        return { body: { ...body, errors: errors.map(({ path, message }) => ({ path: toPascal(path), message })) } };
      });
    },
  },
  {
    id: "error-path-of-malformed",
    title: 'For invalid JSON, the path is "/" instead of ""',
    killedBy: ["RBS-BODY-06"],
    fault: () =>
      onProblems((problems) => problems.map(({ path, message }) => ({ path: path === "" ? "/" : path, message }))),
  },
];
