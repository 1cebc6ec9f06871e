import { type Fault, type Mutant, mutant } from "../../mutant.ts";
import { onAnswer, onFailure, onRefusal } from "../../faults/alter.ts";

type Problem = { readonly path: string; readonly message: string };

function onProblems(alter: (problems: readonly Problem[]) => unknown): Fault {
  return onFailure("BadRequest", ({ body }) => ({
    body: { ...body, errors: alter((body["errors"] ?? []) as readonly Problem[]) },
  }));
}

function without(body: Record<string, unknown>, member: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== member));
}

/** Faults in the members of error bodies. */
export const ERROR_MUTANTS: readonly Mutant[] = [
  mutant("error-request-id-missing", ["RBS-ANSWER-03"], "Error bodies have no requestId", () =>
    onRefusal(({ body }) => ({ body: without(body, "requestId") })),
  ),
  mutant("error-request-id-differs", ["RBS-ANSWER-07"], "An error body's requestId differs from X-Request-Id", () =>
    onRefusal(({ body }) => ({ body: { ...body, requestId: `${String(body["requestId"])}-inner` } })),
  ),
  mutant(
    "error-name-misspelled",
    ["RBS-CLOSE-02", "RBS-ANSWER-03", "RBS-ANSWER-09"],
    "The name BrowserNotFound is misspelled as Browsernotfound",
    () => onFailure("BrowserNotFound", ({ body }) => ({ body: { ...body, name: "Browsernotfound" } })),
  ),
  mutant("error-name-of-another", ["RBS-CLOSE-06", "RBS-ANSWER-09"], "Unknown browsers cause the error NotFound", () =>
    onFailure("BrowserNotFound", ({ body }) => ({ body: { ...body, name: "NotFound" } })),
  ),
  mutant("error-name-missing", ["RBS-ANSWER-03", "RBS-ANSWER-09"], "Errors have no name", () =>
    onRefusal(({ body }) => ({ body: without(body, "name") })),
  ),
  mutant("error-status-text", ["RBS-ANSWER-03", "RBS-ANSWER-05"], "The status member of an error is a string", () =>
    onRefusal(({ status, body }) => ({ body: { ...body, status: String(status) } })),
  ),
  mutant("error-message-empty", ["RBS-ANSWER-03", "RBS-FUZZ-05"], "Error messages are empty", () =>
    onRefusal(({ body }) => ({ body: { ...body, message: "" } })),
  ),
  mutant("error-message-tells-token", ["RBS-ANSWER-11"], "The invalid-token error message contains the token", () =>
    onRefusal(({ body }, request) => ({
      body: {
        ...body,
        message: `${String(body["message"])} (${request.headers.get("authorization") ?? "no token"})`,
      },
    })),
  ),
  mutant("error-nested", ["RBS-ANSWER-03"], "Error bodies are wrapped in an error member", () =>
    onRefusal(({ body }) => ({ body: { error: body } })),
  ),
  mutant("error-problems-missing", ["RBS-ANSWER-03", "RBS-OPEN-03"], "A BadRequest body has no errors member", () =>
    onFailure("BadRequest", ({ body }) => ({ body: without(body, "errors") })),
  ),
  mutant("error-problems-empty", ["RBS-OPEN-03"], "The errors member of a BadRequest body is an empty list", () =>
    onProblems(() => []),
  ),
  mutant("error-problems-first-only", ["RBS-BODY-11"], "BadRequest bodies list only the first error", () =>
    onProblems((problems) => problems.slice(0, 1)),
  ),
  mutant("error-path-dotted", ["RBS-OPEN-03"], "Error paths use dots instead of JSON Pointers", () =>
    onProblems((problems) =>
      problems.map(({ path, message }) => ({ path: path.slice(1).replaceAll("/", "."), message })),
    ),
  ),
  mutant("error-path-in-contracts-spelling", ["RBS-SPELL-06"], "Error paths always use the contract's spelling", () => {
    const toPascal = (path: string): string => path.replaceAll(/\/([a-z])/g, (part) => part.toUpperCase());
    return onAnswer("openBrowser", ({ body }) => {
      const errors = body["errors"] as readonly Problem[] | undefined;
      if (errors === undefined) return {};
      return { body: { ...body, errors: errors.map(({ path, message }) => ({ path: toPascal(path), message })) } };
    });
  }),
  mutant("error-path-of-malformed", ["RBS-BODY-06"], 'For invalid JSON, the path is "/" instead of ""', () =>
    onProblems((problems) => problems.map(({ path, message }) => ({ path: path === "" ? "/" : path, message }))),
  ),
];
