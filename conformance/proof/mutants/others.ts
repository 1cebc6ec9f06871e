import type { Account } from "../../../server/src/domain/account/account.ts";
import type { Fault } from "../mutant.ts";
import { instead } from "./use-cases.ts";

/** A fault that checks the account in the other operations, too, as Open does. @param check Throws to refuse. */
export function onOthers(check: (account: Account) => void): Fault {
  return {
    services: ({ browsers, desktops, ...others }) => ({
      ...others,
      desktops,
      browsers: instead(browsers, {
        list(account) {
          check(account);
          return browsers.list(account);
        },
        find(account, address) {
          check(account);
          return browsers.find(account, address);
        },
      }),
    }),
  };
}
