import { type Socket, type TcpNetConnectOpts, connect } from "node:net";

/** Buffer size per connection. Only the used part of a buffer occupies memory. */
const BUFFER_BYTES = 2 ** 18;

/** How long a half-closed tunnel stays open while its other side is silent, in ms. */
const LINGER_MS = 10_000;

/** Consumes bytes. @returns Whether the bytes' memory can be reused. */
type Sink = (bytes: Uint8Array) => boolean;

/** Sinks for the sockets that `connectForTunnel` returns. Sockets without a sink are read as usual. */
const sinks = new WeakMap<Socket, Sink | undefined>();

/**
 * Connects a socket that reads into one buffer. By default, Node creates a buffer per chunk, so the server would spend
 * half its time on garbage collection during fast downloads. Until `splice` is called, the socket is read as usual.
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

/** Joins two sockets until one closes. The other socket closes after the remaining data has been written to it. */
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
    // Stop reading until the kernel has accepted all bytes.
    isWaiting = destination.writableLength > 0;
    return !isWaiting;
  };
  // Forward data that has already arrived.
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
