import contract from "@remote-browser/contract/openapi.json" with { type: "json" };
import { operations } from "@remote-browser/contract/operations";

type Shown = { readonly summary: string; readonly value: Readonly<Record<string, unknown>> };
type Declared = {
  readonly $ref?: string;
  readonly content?: { readonly "application/json": { readonly examples: Readonly<Record<string, Shown>> } };
};

/** One of the contract's error examples, with its HTTP status. */
export type ErrorExample = Shown & { readonly status: number };

/** Returns all of the contract's error examples by name, such as `openBrowser 503 full` or `Unknown unknown`. */
export function readErrorExamples(): Map<string, ErrorExample> {
  const found = new Map<string, ErrorExample>();
  const add = (place: string, status: number, { content }: Declared): void => {
    for (const [name, shown] of Object.entries(content?.["application/json"].examples ?? {})) {
      found.set(`${place} ${name}`, { ...shown, status });
    }
  };
  const shared: Readonly<Record<string, Declared>> = contract.components.responses;
  const paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: object }>>>> = contract.paths;
  for (const [id, { path, method }] of Object.entries(operations)) {
    const responses: Readonly<Record<string, Declared>> = { ...paths[path]?.[method]?.responses };
    for (const [status, response] of Object.entries(responses)) {
      if (Number(status) < 400) continue;
      const name = response.$ref?.split("/").at(-1);
      if (name === undefined) add(`${id} ${status}`, Number(status), response);
      else add(name, Number(status), shared[name] ?? {});
    }
  }
  add("NotFound", 404, contract.components.responses.NotFound);
  add("MethodNotAllowed", 405, contract.components.responses.MethodNotAllowed);
  return found;
}
