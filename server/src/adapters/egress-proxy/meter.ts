import type { Socket } from "node:net";
import type { Traffic } from "../../ports/egress.ts";

/** Counts the bytes of one browser's connections, of those that are gone too. */
export class Meter {
  readonly #open = new Set<Socket>();
  #sent = 0;
  #received = 0;

  count(socket: Socket): void {
    this.#open.add(socket);
    socket.once("close", () => {
      this.#open.delete(socket);
      this.#sent += socket.bytesWritten;
      this.#received += socket.bytesRead;
    });
  }

  traffic(): Traffic {
    let sent = this.#sent;
    let received = this.#received;
    for (const socket of this.#open) {
      sent += socket.bytesWritten;
      received += socket.bytesRead;
    }
    return { sent, received };
  }
}
