/**
 * The reason why a tunnel couldn't be opened.
 * - `BadAddress`: the address has an unknown form.
 * - `NotFound`: the browser or desktop has closed, or the address is mistyped.
 * - `Refused`: the server rejects the connection, its certificate is untrusted, or the system denies local port access.
 * - `Unreachable`: the server doesn't respond, or its response is invalid.
 * - `PortTaken`: another program uses the local port.
 */
export type TunnelFailureName = "BadAddress" | "NotFound" | "Refused" | "Unreachable" | "PortTaken";

/** An error while opening a tunnel. The message is for users and contains no secrets. */
export class TunnelFailure extends Error {
  override readonly name: TunnelFailureName;

  constructor(name: TunnelFailureName, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = name;
  }
}

/**
 * Makes text from a server safe to print on a single terminal line: control characters could change the terminal, and
 * bidirectional controls could disguise text.
 */
export function toPlainText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
}
