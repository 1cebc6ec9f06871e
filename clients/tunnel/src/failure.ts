/**
 * Why a tunnel could not be opened.
 *
 * - `BadAddress`: what was given leads to no browser and no desktop, whatever server is asked.
 * - `NotFound`: the server knows no such browser or desktop; it has ended, or the address is mistyped.
 * - `Refused`: the server is there and says no, or its certificate is not trusted.
 * - `Unreachable`: no answer, or none that makes sense.
 * - `PortTaken`: another program listens on the local port.
 */
export type TunnelFailureName = "BadAddress" | "NotFound" | "Refused" | "Unreachable" | "PortTaken";

/** A tunnel that could not be opened: its message is for the person who wanted it, and holds no secret. */
export class TunnelFailure extends Error {
  override readonly name: TunnelFailureName;

  constructor(name: TunnelFailureName, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = name;
  }
}
