import { Failure } from "./failure.ts";

/**
 * Checks the form a Query's answer is wanted in: `text`, `json`, or a JSON Schema written as JSON.
 * @throws {Failure} `BadRequest` for any other string.
 */
export function checkResponseFormat(text: string | undefined): void {
  if (text === undefined || text === "text" || text === "json" || isSchema(text)) return;
  const wrong = `must be "text", "json" or a JSON Schema as JSON text, not ${JSON.stringify(text.slice(0, 60))}`;
  throw new Failure("BadRequest", `responseFormat ${wrong}.`, {
    errors: [{ path: "/responseFormat", message: wrong }],
  });
}

/** JSON Schema 2020-12 section 4.3: a schema is an object or a boolean. */
function isSchema(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "boolean" || (typeof value === "object" && value !== null && !Array.isArray(value));
  } catch {
    return false;
  }
}
