/** Types for the parts of noVNC 1.7 that the page uses. The server serves the npm package's module under this path. */
export type RfbEvents = {
  connect: CustomEvent<object>;
  disconnect: CustomEvent<{ readonly clean: boolean }>;
  securityfailure: CustomEvent<{ readonly status: number; readonly reason?: string }>;
  clipboard: CustomEvent<{ readonly text: string }>;
};

// noVNC has only a default export.
// oxlint-disable-next-line import/no-default-export
export default class RFB {
  constructor(
    target: HTMLElement,
    channel: WebSocket,
    options: { readonly shared: boolean; readonly credentials: { readonly password: string } },
  );
  viewOnly: boolean;
  scaleViewport: boolean;
  resizeSession: boolean;
  showDotCursor: boolean;
  qualityLevel: number;
  background: string;
  addEventListener<Name extends keyof RfbEvents>(name: Name, listener: (event: RfbEvents[Name]) => void): void;
  disconnect(): void;
  sendKey(keysym: number, code: string, isDown?: boolean): void;
  focus(options?: FocusOptions): void;
  blur(): void;
  clipboardPasteFrom(text: string): void;
}
