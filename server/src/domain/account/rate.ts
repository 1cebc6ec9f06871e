/** How many requests an account can send in `perS` seconds. */
export type Rate = { readonly requests: number; readonly perS: number };
