import type { Contract, Reference, Response } from "./contract.ts";
import type { RequiredMembers } from "./required-members.ts";

type Responses = Readonly<Record<string, Response | Reference>>;

/**
 * The served contract for our own clients. openapi-generator copies the description to the top of every file.
 *
 * Clients also work with servers of earlier minor versions. A member that was added to a schema after its first release
 * is therefore not required.
 */
export function forGenerators(contract: Contract, since: RequiredMembers): Contract {
  const served = forServing(contract);
  const schemas = mapEntries(served.components.schemas, (schema, name) => {
    const { required } = schema;
    const known = since[name];
    if (required === undefined || known === undefined) return schema;
    return { ...schema, required: required.filter((member) => known.includes(member)) };
  });
  return {
    ...served,
    info: { ...served.info, description: served.info.summary },
    components: { ...served.components, schemas },
  };
}

/** The contract that deployments serve, for code generators: openapi-generator rejects links with request bodies. */
export function forServing(contract: Contract): Contract {
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

function mapEntries<A, B>(
  record: Readonly<Record<string, A>>,
  change: (value: A, key: string) => B,
): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));
}
