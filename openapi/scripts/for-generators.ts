import type { Contract, Reference, Response } from "./contract.ts";

type Responses = Readonly<Record<string, Response | Reference>>;

/** The served contract for our own clients. openapi-generator copies the description to the top of every file. */
export function forGenerators(contract: Contract): Contract {
  const served = forServing(contract);
  return { ...served, info: { ...served.info, description: served.info.summary } };
}

/** The contract that deployments serve, for code generators: openapi-generator rejects links with request bodies. */
export function forServing(contract: Contract): Contract {
  const { paths, components } = contract;
  return {
    ...contract,
    paths: mapValues(paths, (methods) =>
      mapValues(methods, (operation) => ({
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
