import type { RenderedRefusal, UpgradeRefusal } from "./refusal.ts";

/** A refused upgrade in the form of every other refusal. */
export function renderUpgradeRefusal(refusal: UpgradeRefusal, requestId: string): RenderedRefusal {
  const { status, name, message } = refusal;
  return {
    status,
    headers: { ...refusal.headers, "Content-Type": "application/json", "X-Request-Id": requestId },
    body: JSON.stringify({ status, name, message, requestId }),
  };
}
