import type { Services } from "../../../server/test/interface.ts";
import type { Fault, Mutant } from "../mutant.ts";
import { isFor, onRefusal } from "./alter.ts";
import { instead } from "./use-cases.ts";

/** Stands for whoever is let in without a token of their own. */
const ANYBODY = "anybody-at-all";

/** Lets some calls in as if they had the first account's token. */
function letsIn(isLetIn: (request: Request) => boolean): Fault {
  return {
    ...onToken((token) => (token === ANYBODY ? ANYBODY : undefined)),
    answer: (request, next) => next(isLetIn(request) ? withAuthorization(request, `Bearer ${ANYBODY}`) : request),
  };
}

function withAuthorization(request: Request, authorization: string): Request {
  const headers = new Headers(request.headers);
  headers.set("authorization", authorization);
  return new Request(request, { headers });
}

/** @param read The token that is looked up in place of one that is not known; `ANYBODY` for the first account's. */
function onToken(read: (token: string) => string | undefined): Fault {
  return {
    services: ({ auth: people, ...others }) => ({
      ...others,
      auth: withTokens(people, {
        async authenticate(token) {
          const account = await people.tokens.authenticate(token);
          const other = read(token);
          if (account !== undefined || other === undefined) return account;
          if (other !== ANYBODY) return people.tokens.authenticate(other);
          const all = await others.accounts.list();
          // The first one that there was, which the suite's own calls are made with.
          return all.toSorted((one, next) => one.createdAt.getTime() - next.createdAt.getTime())[0];
        },
      }),
    }),
  };
}

function withTokens(people: Services["auth"], changes: Partial<Services["auth"]["tokens"]>): Services["auth"] {
  return { ...people, tokens: instead(people.tokens, changes) };
}

const isAnonymous = (request: Request): boolean => (request.headers.get("authorization") ?? "") === "";

/** Who is let in, and by what. */
export const TOKEN_MUTANTS: readonly Mutant[] = [
  {
    id: "token-not-for-get",
    title: "Get needs no token",
    killedBy: ["RBS-AUTH-01", "RBS-FUZZ-09"],
    fault: () => letsIn((request) => isFor(request, "getBrowsers") && isAnonymous(request)),
  },
  {
    id: "token-not-for-query",
    title: "Query needs no token",
    killedBy: ["RBS-AUTH-01"],
    fault: () => letsIn((request) => isFor(request, "queryAi") && isAnonymous(request)),
  },
  {
    id: "token-any",
    title: "Any token lets in",
    killedBy: ["RBS-AUTH-02"],
    fault: () => onToken(() => ANYBODY),
  },
  {
    id: "token-any-for-query",
    title: "Query looks whether there is a token, and not at which",
    killedBy: ["RBS-AUTH-02"],
    fault: () => letsIn((request) => isFor(request, "queryAi") && !isAnonymous(request)),
  },
  {
    id: "token-lengthened",
    title: "A token may have one more character at its end",
    killedBy: ["RBS-AUTH-02"],
    fault: () => onToken((token) => token.slice(0, -1)),
  },
  {
    id: "token-short",
    title: "Tokens that are too short are not looked at",
    killedBy: ["RBS-AUTH-02"],
    fault: () => onToken((token) => (token.length < 20 ? ANYBODY : undefined)),
  },
  {
    id: "token-basic",
    title: "A token is also taken by the scheme Basic",
    killedBy: ["RBS-AUTH-02"],
    fault: () => ({
      answer(request, next) {
        const authorization = request.headers.get("authorization") ?? "";
        const [, word = ""] = /^basic (\S+)$/i.exec(authorization) ?? [];
        const plain = Buffer.from(word, "base64").toString();
        const token = plain.includes(":") ? (plain.split(":").find((part) => part.length > 8) ?? "") : word;
        return next(word === "" ? request : withAuthorization(request, `Bearer ${token}`));
      },
    }),
  },
  {
    id: "token-refused-too-late",
    title: "A call with a wrong token is refused, and takes effect all the same",
    killedBy: ["RBS-AUTH-04"],
    fault: () => {
      const inner = letsIn(() => true);
      return {
        ...inner,
        async answer(request, next) {
          const right = await next(request.clone());
          // The one answer is told, the other's effect stays.
          if (right.status === 401) await inner.answer?.(request, next);
          return right;
        },
      };
    },
  },
  {
    id: "token-missing-400",
    title: "A call without a token is a BadRequest",
    killedBy: ["RBS-AUTH-01"],
    fault: () =>
      onRefusal(({ status, body }, request) =>
        status === 401 && isAnonymous(request)
          ? {
              status: 400,
              body: { ...body, status: 400, name: "BadRequest", errors: [{ path: "", message: "has no token" }] },
            }
          : {},
      ),
  },
];
