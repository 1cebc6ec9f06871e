import type { OperationId } from "@remote-browser/contract/operations";
import { kindOfFormat } from "../query-examples.ts";
import type { Act } from "./faults.ts";

/** Which of the contract's examples Prism is to answer, since it would always take the first. */
export function toPreference(operation: OperationId | undefined, body: Buffer, act: Act): string | undefined {
  if (operation === "queryAi") return `code=200, example=${kindOfFormat(readFormat(body))}`;
  const needsSessions = operation === "getBrowsers" && act.kind === "pass" && act.change !== undefined;
  return needsSessions ? "code=200, example=two" : undefined;
}

function readFormat(body: Buffer): string | undefined {
  return (JSON.parse(body.toString()) as { readonly responseFormat?: string }).responseFormat;
}
