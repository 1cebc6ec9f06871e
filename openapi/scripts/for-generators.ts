import type { Contract, Reference, Response } from "./contract.ts";

type Responses = Readonly<Record<string, Response | Reference>>;

/**
 * The contract as openapi-generator likes it: without links, whose request bodies it takes for a mistake, with the summary
 * for a description, since it copies that to the top of every file, and without the ids of conformance rules, which are
 * nothing to a client.
 */
export function forGenerators(contract: Contract): Contract {
  const { info, paths, components, "x-rules": _, ...rest } = contract;
  return {
    ...rest,
    info: { ...info, description: info.summary },
    paths: mapValues(paths, (methods) =>
      mapValues(methods, ({ "x-rules": _rules, ...operation }) => ({
        ...operation,
        responses: withoutLinks(operation.responses),
      })),
    ),
    components: { ...components, responses: withoutLinks(components.responses) },
  };
}

function withoutLinks<R extends Responses>(responses: R): R {
  return mapValues(responses, (response) => {
    if (!("links" in response)) return response;
    const { links: _links, ...rest } = response;
    return rest;
  }) as R;
}

function mapValues<A, B>(record: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
