export { TunnelFailure, type TunnelFailureName } from "./failure.ts";
export { type Tunnel, type TunnelOptions, openTunnel } from "./open-tunnel.ts";
