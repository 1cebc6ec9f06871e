import type { Contract, Reference, Response } from "./contract.ts";

type Responses = Readonly<Record<string, Response | Reference>>;

type WithAnswers = Pick<Contract, "paths"> & { readonly components: Pick<Contract["components"], "responses"> };

/** Returns the contract that servers serve. It has no links, because openapi-generator rejects their request bodies. */
export function forServing<Served extends WithAnswers>(contract: Served): Served {
  const { paths, components } = contract;
  return {
    ...contract,
    paths: mapEntries(paths, (methods) =>
      mapEntries(methods, (operation) => ({
        ...operation,
        responses: withoutLinks(operation.responses),
      })),
    ),
    components: { ...components, responses: withoutLinks(components.responses) },
  };
}

function withoutLinks<R extends Responses>(responses: R): R {
  return mapEntries(responses, (response) => {
    if (!("links" in response)) return response;
    const { links: _links, ...rest } = response;
    return rest;
  }) as R;
}

/** Maps the values of a record. */
export function mapEntries<A, B>(
  record: Readonly<Record<string, A>>,
  change: (value: A, key: string) => B,
): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));
}
