/**
 * Why a tunnel could not be opened.
 * - `BadAddress`: the address has an unknown form.
 * - `NotFound`: the browser or desktop has closed, or the address is mistyped.
 * - `Refused`: the server refuses the connection, its certificate is not trusted, or the system refuses the local port.
 * - `Unreachable`: the server does not answer, or the tunnel does not understand the answer.
 * - `PortTaken`: another program uses the local port.
 */
export type TunnelFailureName = "BadAddress" | "NotFound" | "Refused" | "Unreachable" | "PortTaken";

/** A tunnel could not be opened. The message is for users and contains no secrets. */
export class TunnelFailure extends Error {
  override readonly name: TunnelFailureName;

  constructor(name: TunnelFailureName, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = name;
  }
}

/**
 * Makes text from a server safe for one line of a terminal: control characters could change the terminal, and
 * bidirectional controls could disguise text.
 */
export function toPlainText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
}
