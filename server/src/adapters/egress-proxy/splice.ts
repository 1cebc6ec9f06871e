import { type Socket, type TcpNetConnectOpts, connect } from "node:net";

/** Of one connection. The kernel gives the process only the part that is used. */
const BUFFER_BYTES = 2 ** 18;

/** Time for the remaining data once one side of a tunnel has ended, while the other side is silent. */
const LINGER_MS = 10_000;

/** Takes bytes. @returns Whether their memory is free again. */
type Sink = (bytes: Uint8Array) => boolean;

/** Where the bytes of sockets from `connectForTunnel` go. Undefined: they are read as usual. */
const sinks = new WeakMap<Socket, Sink | undefined>();

/**
 * Connects a socket that reads into the same buffer every time. By default, Node creates a new buffer for each chunk.
 * During a fast download, the server would then spend half of its time on garbage collection, and all other requests
 * would wait. Until `splice`, the socket can be read as usual.
 */
export function connectForTunnel(options: TcpNetConnectOpts): Socket {
  const socket: Socket = connect({
    ...options,
    onread: {
      buffer: Buffer.allocUnsafeSlow(BUFFER_BYTES),
      callback(length, buffer) {
        const bytes = buffer.subarray(0, length);
        return sinks.get(socket)?.(bytes) ?? socket.push(Buffer.from(bytes));
      },
    },
  });
  sinks.set(socket, undefined);
  return socket;
}

/** Joins two sockets until one of them closes. The other one closes when the remaining data is written to it. */
export function splice(client: Socket, target: Socket): void {
  client.pipe(target);
  if (sinks.has(target)) copy(target, client);
  else target.pipe(client);
  closeTogether(client, target);
  closeTogether(target, client);
}

function copy(source: Socket, destination: Socket): void {
  let isWaiting = false;
  const onWritten = (): void => {
    if (!isWaiting || destination.writableLength > 0) return;
    isWaiting = false;
    source.resume();
  };
  const sink: Sink = (bytes) => {
    destination.write(bytes, onWritten);
    // Otherwise the kernel has not taken all of it, and the socket doesn't read until the kernel has taken it.
    isWaiting = destination.writableLength > 0;
    return !isWaiting;
  };
  // What has arrived before.
  for (let bytes: unknown = source.read(); bytes !== null; bytes = source.read()) destination.write(bytes as Buffer);
  sinks.set(source, sink);
  source.once("end", () => destination.end());
}

function closeTogether(first: Socket, other: Socket): void {
  const linger = () => other.setTimeout(LINGER_MS, () => other.destroy());
  first.on("error", () => undefined);
  first.once("end", linger);
  first.once("close", () => {
    linger();
    other.destroySoon();
  });
}
