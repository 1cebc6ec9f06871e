import type { Contract } from "./contract.ts";
import { forServing, mapEntries } from "./for-serving.ts";
import type { RequiredMembers } from "./required-members.ts";

/**
 * Returns the served contract for our own clients. Its description is short, because openapi-generator copies the
 * description to every file.
 *
 * Clients support servers of earlier minor versions, so a member that was added after its schema's first release isn't
 * required.
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
