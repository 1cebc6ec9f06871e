import { type Fault, type Mutant, mutant } from "../../mutant.ts";
import { failing, isFor, onRefusal, withAuthorization } from "../../faults/alter.ts";
import { instead } from "../../faults/use-cases.ts";

/** Stands in for the first account's token. */
const ANYBODY = "anybody-at-all";

/** Accepts some requests as if they had the first account's token. */
function letsIn(isLetIn: (request: Request) => boolean): Fault {
  return {
    ...onToken((token) => (token === ANYBODY ? ANYBODY : undefined)),
    answer: (request, next) => next(isLetIn(request) ? withAuthorization(request, `Bearer ${ANYBODY}`) : request),
  };
}

/** @param read Returns the token to use instead of an unknown token. `ANYBODY` means the first account's token. */
function onToken(read: (token: string) => string | undefined): Fault {
  return {
    services: ({ auth: people, ...others }) => ({
      ...others,
      auth: {
        ...people,
        tokens: instead(people.tokens, {
          async authenticate(token) {
            const account = await people.tokens.authenticate(token);
            const other = read(token);
            if (account !== undefined || other === undefined) return account;
            if (other !== ANYBODY) return people.tokens.authenticate(other);
            const all = await others.accounts.list();
            // The token of the suite's first request.
            return all.toSorted((one, next) => one.createdAt.getTime() - next.createdAt.getTime())[0];
          },
        }),
      },
    }),
  };
}

const isAnonymous = (request: Request): boolean => (request.headers.get("authorization") ?? "") === "";

/** Faults in accepting tokens. */
export const TOKEN_MUTANTS: readonly Mutant[] = [
  mutant("token-not-for-get", ["RBS-AUTH-01", "RBS-FUZZ-09"], "Get doesn't require a token", () =>
    letsIn((request) => isFor(request, "getBrowsers") && isAnonymous(request)),
  ),
  mutant("token-not-for-query", ["RBS-AUTH-01"], "Query doesn't require a token", () =>
    letsIn((request) => isFor(request, "queryAi") && isAnonymous(request)),
  ),
  mutant("token-any", ["RBS-AUTH-02"], "Every token is accepted", () => onToken(() => ANYBODY)),
  mutant("token-any-for-query", ["RBS-AUTH-02"], "Query accepts every token", () =>
    letsIn((request) => isFor(request, "queryAi") && !isAnonymous(request)),
  ),
  mutant("token-lengthened", ["RBS-AUTH-02"], "A token with an additional character is accepted", () =>
    onToken((token) => token.slice(0, -1)),
  ),
  mutant("token-short", ["RBS-AUTH-02"], "Short tokens are accepted", () =>
    onToken((token) => (token.length < 20 ? ANYBODY : undefined)),
  ),
  mutant("token-any-case", ["RBS-AUTH-05"], "Tokens are not case-sensitive", () => {
    const known = new Map<string, string>();
    return {
      async answer(request, next) {
        const given = request.headers.get("authorization") ?? "";
        const response = await next(withAuthorization(request.clone(), known.get(given.toLowerCase()) ?? given));
        if (response.status === 200) known.set(given.toLowerCase(), given);
        return response;
      },
    };
  }),
  mutant("token-basic", ["RBS-AUTH-02"], "Basic authentication with a token is accepted", () => ({
    answer(request, next) {
      const authorization = request.headers.get("authorization") ?? "";
      const [, word = ""] = /^basic (\S+)$/i.exec(authorization) ?? [];
      const plain = Buffer.from(word, "base64").toString();
      const token = plain.includes(":") ? (plain.split(":").find((part) => part.length > 8) ?? "") : word;
      return next(word === "" ? request : withAuthorization(request, `Bearer ${token}`));
    },
  })),
  mutant("token-refused-too-late", ["RBS-AUTH-04"], "A request with an invalid token fails but takes effect", () => {
    const inner = letsIn(() => true);
    return {
      ...inner,
      async answer(request, next) {
        const right = await next(request.clone());
        // Return the 401 response, but let the request take effect.
        if (right.status === 401) await inner.answer?.(request, next);
        return right;
      },
    };
  }),
  mutant("token-missing-400", ["RBS-AUTH-01"], "A request without a token returns BadRequest", () =>
    onRefusal(({ status, body }, request) =>
      status === 401 && isAnonymous(request)
        ? failing("BadRequest", body, [{ path: "", message: "has no token" }])
        : {},
    ),
  ),
];
