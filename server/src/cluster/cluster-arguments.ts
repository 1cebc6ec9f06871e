import { z } from "zod";
import type { Account } from "../domain/account/account.ts";
import { KIND_WORDS } from "../domain/browser/browser-kind.ts";
import { END_WORDS } from "../domain/browser/end.ts";
import type { OpenOptions } from "../domain/browser/open-options.ts";
import type { BrowserSelector } from "../domain/browser/selector.ts";
import { Failure } from "../domain/failure.ts";
import type { UpstreamProxy } from "../domain/network/upstream-proxy.ts";
import { fromWire } from "../domain/wire-values.ts";
import type { BrowserChange, BrowserMatch, Owner } from "../ports/fleet.ts";
import type { CallArguments, WorkerCallName } from "../ports/cluster/worker-call-rules.ts";
import type { PlacedOpen } from "../ports/cluster/worker-calls.ts";

/*
 * The front-end has checked the user's input. These schemas refuse calls from other versions that this worker can't
 * serve, and omit unknown members. A member that a version adds must be optional here until the next version.
 */

/** A schema for all members of a type, including optional members: a member without a schema would be lost. */
function object<Type extends object>(shape: {
  readonly [Member in keyof Required<Type>]: z.ZodType<Type[Member]>;
}): z.ZodType<Type> {
  return z.object(shape) as unknown as z.ZodType<Type>;
}

/** A schema for a union of names. @param names A table with the names as its keys. */
function oneOf<Name extends string>(names: Readonly<Record<Name, unknown>>): z.ZodType<Name> {
  return z.enum(Object.keys(names) as Name[]);
}

const text = z.string();
const texts = z.array(text);
const number = z.number();
const flag = z.boolean();
const url = z.instanceof(URL);

const owner = object<Owner>({ id: text });

const selector: z.ZodType<BrowserSelector> = z.union([z.object({ id: text }), z.object({ address: text })]);

const account = object<Account>({
  id: text,
  email: text,
  plan: text.optional(),
  parallel: number.optional(),
  units: number.optional(),
  hasAdditionalUnits: flag,
  isDisabled: flag,
  isOperator: flag,
  createdAt: z.date(),
  version: number,
});

const proxy = object<UpstreamProxy>({
  scheme: oneOf<UpstreamProxy["scheme"]>({ http: true, https: true, socks5: true }),
  host: text,
  port: number,
  credentials: z.object({ username: text, password: text }).optional(),
  isResolver: flag.optional(),
});

const options = object<OpenOptions>({
  kind: oneOf(KIND_WORDS),
  isHeadless: flag,
  isStealthy: flag,
  switches: texts,
  ignoredSwitches: texts,
  memoryBytes: number.optional(),
  hasWebGl: flag.optional(),
  proxy: proxy.optional(),
  keepOpenMs: number,
  lifetimeMs: number,
  label: text.optional(),
  tags: texts,
  waitForPlaceMs: number,
  page: z.object({ width: number, height: number }).optional(),
});

const placedOpen = object<PlacedOpen>({ browserId: text, attempt: number, account, options, base: url, maxMs: number });

const match: z.ZodType<BrowserMatch> = z.union([
  z.object({ label: text }),
  z.object({ tag: text }),
  z.object({ all: z.literal(true) }),
]);

const change = object<BrowserChange>({
  keepOpenMs: number.optional(),
  lifetimeMs: number.optional(),
  label: text.optional(),
  tags: texts.optional(),
});

type Schemas<Values extends readonly unknown[]> = { readonly [Index in keyof Values]: z.ZodType<Values[Index]> };

/** Each call's arguments, without the signal. */
const ARGUMENTS: { readonly [Name in WorkerCallName]: Schemas<CallArguments<Name>> } = {
  openPlaced: [placedOpen],
  acknowledge: [text],
  wait: [owner, selector, number],
  close: [owner, selector],
  closeMatching: [owner, match],
  change: [account, selector, change],
  closeAllOf: [text, oneOf(END_WORDS)],
  startDesktop: [owner, selector, url],
  stopDesktop: [owner, selector],
  ping: [],
  hasDesktop: [text],
  takePicture: [owner, selector],
  takeScreenshot: [owner, selector],
};

/**
 * Reads a call's arguments, and omits arguments that are unknown in this version.
 * @param json The output of `toWire`.
 * @throws {Failure} `BadRequest`, without the values, because they can be secrets.
 */
export function readArguments<Name extends WorkerCallName>(name: Name, json: unknown): CallArguments<Name> {
  const sent = readValues(json);
  if (!Array.isArray(sent)) throw badRequest(name, "they are not a list");
  return ARGUMENTS[name].map((schema, index) => {
    const { data, error } = schema.safeParse(sent[index]);
    if (error === undefined) return data;
    const places = error.issues.map(({ path, code }) => `${[index + 1, ...path].join(".")} (${code})`);
    throw badRequest(name, `see ${places.join(", ")}`);
  }) as CallArguments<Name>;
}

function readValues(json: unknown): unknown {
  try {
    return fromWire(json);
  } catch {
    return undefined;
  }
}

function badRequest(name: WorkerCallName, message: string): Failure {
  return new Failure("BadRequest", `The arguments of ${name} are not valid: ${message}.`);
}
