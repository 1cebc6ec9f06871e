import type { Tokens } from "../../proof/accounts.ts";
import { FEW_UNITS } from "../../proof/plans.ts";

/** Returns the command-line arguments for a deployment and all its accounts. */
export function argumentsFor({ url, token, tokens }: Tokens & { readonly url: string | URL }): string[] {
  const special = Object.entries(tokens).flatMap(([name, each]) => [`--token-${name}`, each]);
  return ["--base-url", String(url), "--token", token, ...special, "--units-left", String(FEW_UNITS)];
}
