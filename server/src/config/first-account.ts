import { z } from "zod";
import { readEmail } from "../domain/account/email.ts";
import { findPasswordFault } from "../domain/account/password.ts";
import { TOKEN_RULE, isToken } from "../domain/account/token.ts";

export const firstAccountSettings = z.object({
  RBS_FIRST_ACCOUNT_EMAIL: z
    .string()
    .refine((text) => readEmail(text) !== undefined, "must be an email address")
    .optional(),
  RBS_FIRST_ACCOUNT_PASSWORD: z
    .string()
    .transform((password, context) => {
      const fault = findPasswordFault(password, "");
      if (fault !== undefined) context.addIssue(`is not accepted. ${fault}`);
      return password;
    })
    .optional(),
  RBS_FIRST_ACCOUNT_TOKEN: z.string().refine(isToken, `must have ${TOKEN_RULE}`).optional(),
});

/** Returns the settings for the account that the server creates on its first start. */
export function toFirstAccount(settings: z.output<typeof firstAccountSettings>) {
  return {
    email: settings.RBS_FIRST_ACCOUNT_EMAIL,
    password: settings.RBS_FIRST_ACCOUNT_PASSWORD,
    token: settings.RBS_FIRST_ACCOUNT_TOKEN,
  };
}
