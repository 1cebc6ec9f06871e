import type { Socket } from "node:net";

/** Time that what is still to be written may take, and a peer may stay silent, once the other side has left. */
const LINGER_MS = 10_000;

/** Joins two sockets until either side is gone; then the other goes too, after what was on its way to it. */
export function splice(client: Socket, target: Socket): void {
  client.pipe(target);
  target.pipe(client);
  leaveWith(client, target);
  leaveWith(target, client);
}

function leaveWith(leaver: Socket, other: Socket): void {
  const linger = () => other.setTimeout(LINGER_MS, () => other.destroy());
  leaver.on("error", () => undefined);
  leaver.once("end", linger);
  leaver.once("close", () => {
    linger();
    other.destroySoon();
  });
}
