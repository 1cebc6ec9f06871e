import type { components } from "@remote-browser/contract/types";
import { badRequest, type Failure } from "../failure.ts";

/** The browser that a request refers to, by address or by id. */
export type BrowserSelector = { readonly address: string } | { readonly id: string };

/** @throws {Failure} `BadRequest` unless the reference contains either an address or an id, but not both. */
export function readSelector({ address, id }: components["schemas"]["BrowserReference"]): BrowserSelector {
  if (address !== undefined && id !== undefined) throw refusal("id", "can't be sent together with address");
  if (address !== undefined) return { address };
  if (id !== undefined) return { id };
  throw refusal("address", "is required, or id");
}

function refusal(member: string, message: string): Failure {
  return badRequest(`/${member}`, `The request is not valid: ${member}`, message);
}
