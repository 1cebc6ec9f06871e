import { Failure } from "../domain/failure.ts";

/**
 * What addresses handed out begin with.
 * @param requestUrl The request's own URL, with the host the client addressed.
 * @param publicUrl `RBS_PUBLIC_URL`, which goes before it.
 * @throws {Failure} `BadRequest` for a Host header that no URL could hold.
 */
export function toBase(requestUrl: string, publicUrl: URL | undefined): URL {
  const base = publicUrl ?? URL.parse("/", requestUrl);
  if (base !== null) return base;
  const message = "The Host header is not a host name or address.";
  throw new Failure("BadRequest", message, { errors: [{ path: "", message }] });
}
