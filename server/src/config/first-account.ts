import { z } from "zod";
import { readEmail } from "../domain/account/email.ts";
import { findPasswordFault } from "../domain/account/password.ts";
import { TOKEN_RULE, isToken } from "../domain/account/token.ts";

/** What the operator has chosen for the account that the first start creates. */
export type FirstAccount = {
  readonly email: string | undefined;
  readonly password: string | undefined;
  readonly token: string | undefined;
};

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

export function toFirstAccount(settings: z.infer<typeof firstAccountSettings>): FirstAccount {
  return {
    email: settings.RBS_FIRST_ACCOUNT_EMAIL,
    password: settings.RBS_FIRST_ACCOUNT_PASSWORD,
    token: settings.RBS_FIRST_ACCOUNT_TOKEN,
  };
}
