import type { ServerResponse } from "node:http";
import type { Reaction } from "./fake-provider.ts";

export type StreamEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

/** Returns an answer's events, with its text split into pieces. */
export function eventsOf(text: string, stopReason = "end_turn"): StreamEvent[] {
  const pieces = text.match(/.{1,7}/gsu) ?? [];
  return [
    {
      type: "message_start",
      message: {
        id: "msg_1",
        type: "message",
        role: "assistant",
        content: [],
        model: "m",
        stop_reason: null,
        usage: { input_tokens: 30, cache_creation_input_tokens: null, cache_read_input_tokens: 3, output_tokens: 1 },
      },
    },
    { type: "ping" },
    // A model may think first, but its thinking is not part of the answer.
    { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "", signature: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Hm." } },
    { type: "content_block_stop", index: 0 },
    { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
    ...pieces.map((piece) => ({
      type: "content_block_delta",
      index: 1,
      delta: { type: "text_delta", text: piece },
    })),
    { type: "content_block_stop", index: 1 },
    { type: "message_delta", delta: { stop_reason: stopReason, stop_sequence: null }, usage: { output_tokens: 9 } },
    { type: "message_stop" },
  ];
}

/** Responds with the given text. */
export function says(text: string, stopReason?: string): Reaction {
  return (response) => {
    begin(response);
    for (const event of eventsOf(text, stopReason)) write(response, event);
    response.end();
  };
}

/** Responds with an error in the API's format. */
export function fails(
  status: number,
  type: string,
  headers: Readonly<Record<string, string>> = {},
  message = type,
): Reaction {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", "request-id": "req_test", ...headers });
    response.end(JSON.stringify({ type: "error", error: { type, message }, request_id: "req_test" }));
  };
}

/** Drops the connection after the first `count` events of an answer. */
export function cutsAfter(count: number, text = "An answer of some length."): Reaction {
  return async (response) => {
    begin(response);
    for (const event of eventsOf(text).slice(0, count)) await flush(response, event);
    response.destroy();
  };
}

/** Ends the response after the first `count` events, without the event that completes the answer. */
export function stopsAfter(count: number, text = "An answer of some length."): Reaction {
  return async (response) => {
    begin(response);
    for (const event of eventsOf(text).slice(0, count)) await flush(response, event);
    response.end();
  };
}

/** Sends raw text instead of events. */
export function streams(raw: string): Reaction {
  return (response) => {
    begin(response);
    response.end(raw);
  };
}

/** Accepts the request and never responds. */
export function hangs(): Reaction {
  return () => {};
}

/** Stops after an answer's first `count` events, without closing the connection. */
export function stallsAfter(count: number): Reaction {
  return async (response) => {
    begin(response);
    for (const event of eventsOf("An answer of some length.").slice(0, count)) await flush(response, event);
  };
}

/** Encodes a server-sent event. */
export function toLines(event: StreamEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

function begin(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream", "request-id": "req_test" });
}

function write(response: ServerResponse, event: StreamEvent): void {
  response.write(toLines(event));
}

function flush(response: ServerResponse, event: StreamEvent): Promise<void> {
  return new Promise((resolve) => response.write(toLines(event), () => resolve()));
}
