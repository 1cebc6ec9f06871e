import type { Contract, Reference, Response } from "./contract.ts";

type Responses = Readonly<Record<string, Response | Reference>>;

/**
 * Adapts the contract for openapi-generator. Removes links, because it rejects their request bodies. Replaces the
 * description with the summary, because it copies that to the top of every file. Removes the ids of conformance rules,
 * which clients don't need.
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
