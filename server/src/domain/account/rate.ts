/** How often an account may call. */
export type Rate = { readonly requests: number; readonly perS: number };
