import { areFaults, type FieldFault, ok, type Result, refuse } from "../../domain/errors.ts";
import type { Merchant } from "../../ports/settings-store.ts";
import type { Streamed, Success } from "./replies/reply.ts";
import type { JsonObject } from "./requests/json-body.ts";
import { decodePercent, type Parameters, parseQuery, type Query } from "./requests/query.ts";

type Method = "GET" | "POST" | "DELETE";

/** An authenticated request. */
interface Call {
  readonly merchant: Merchant;
  /** The values of the path's `{names}`, percent-decoded. */
  readonly path: Readonly<Record<string, string>>;
  /** The body of a POST; empty for other methods. */
  readonly body: JsonObject;
}

/** A call with the query parameters that the operation knows and the caller sent. */
interface SentCall<P extends Parameters = Parameters> extends Call {
  /** The values of the parameters that follow their rules. */
  readonly query: Query<P>;
  /** The texts of the parameters as they were sent, percent-decoded. */
  readonly texts: Readonly<Record<string, string>>;
}

/** A call whose query has been read. */
export interface ReadCall<Q> extends Call {
  readonly query: Q;
}

interface OperationHead<P extends Parameters> {
  readonly method: Method;
  /** The path from `/v1` on. `{name}` matches one segment. */
  readonly path: string;
  /** All query parameters. A parameter that is not listed is refused. */
  readonly query: P;
  /** If present, a POST without a body and without a Content-Type is allowed. */
  readonly bodyIsOptional?: true;
}

/** One operation of the API. */
interface Operation<P extends Parameters, Q> extends OperationHead<P> {
  /**
   * Reads the value that `answer` gets from the parameters. It runs even if a parameter broke its own rule, so that the
   * reply lists those faults and the faults found here together. Refusal: VALIDATION_ERROR.
   */
  readonly read: (call: SentCall<P>) => Result<Q>;
  readonly answer: (call: ReadCall<Q>) => Answer | Promise<Answer>;
}

/** An operation whose answer gets the values that {@link Parameter.read} returns. */
interface PlainOperation<P extends Parameters> extends OperationHead<P> {
  readonly answer: (call: ReadCall<Query<P>>) => Answer | Promise<Answer>;
}

type Answer = Result<Success | Streamed>;

/** An operation as the router calls it: the query is still text. */
export interface Route {
  readonly method: Method;
  /** The path with its `{names}`. */
  readonly path: string;
  readonly segments: readonly string[];
  readonly bodyIsOptional?: boolean;
  readonly answer: (call: Call, query: string) => Promise<Answer>;
}

/** The route of an operation. */
export function route<P extends Parameters, Q>(operation: Operation<P, Q>): Route;
export function route<P extends Parameters>(operation: PlainOperation<P>): Route;
export function route<P extends Parameters, Q>(operation: Operation<P, Q> | PlainOperation<P>): Route {
  return "read" in operation ? readingRoute(operation) : readingRoute({ ...operation, read: ({ query }) => ok(query) });
}

function readingRoute<P extends Parameters, Q>({
  method,
  path,
  query: parameters,
  bodyIsOptional,
  read,
  answer,
}: Operation<P, Q>): Route {
  return {
    method,
    path,
    segments: path.split("/"),
    bodyIsOptional: bodyIsOptional === true,
    answer: async (call, text) => {
      const { values, texts, faults } = parseQuery(text, parameters);
      const query = read({ ...call, query: values, texts });
      const all = [...faults, ...faultsOf(query)];
      if (all.length > 0) return refuse("VALIDATION_ERROR", { details: all });
      return query.ok ? answer({ ...call, query: query.value }) : query;
    },
  };
}

/** The faults that a VALIDATION_ERROR lists; for any other result an empty list. */
export const faultsOf = (result: Result<unknown>): readonly FieldFault[] =>
  !result.ok && areFaults(result.refusal.details) ? result.refusal.details : [];

/** The result of a search for a route. `path`: the path exists, but only with the methods in `allow`. */
export type RouteSearch =
  | { readonly found: "route"; readonly route: Route; readonly path: Readonly<Record<string, string>> }
  | { readonly found: "path"; readonly allow: readonly Method[] }
  | { readonly found: "nothing" };

/** Finds the route for a method and a raw path. */
export function findRoute(routes: readonly Route[], method: string, rawPath: string): RouteSearch {
  const segments = rawPath.split("/");
  const allow: Method[] = [];
  for (const route of routes) {
    const path = match(route.segments, segments);
    if (path === undefined) continue;
    if (route.method === method) return { found: "route", route, path };
    allow.push(route.method);
  }
  return allow.length === 0 ? { found: "nothing" } : { found: "path", allow };
}

function match(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const values: Record<string, string> = {};
  for (let i = 0; i < pattern.length; i++) {
    const [part = "", segment = ""] = [pattern[i], segments[i]];
    if (!part.startsWith("{")) {
      if (part !== segment) return undefined;
      continue;
    }
    const value = decodePercent(segment);
    if (value === undefined || value === "") return undefined;
    values[part.slice(1, -1)] = value;
  }
  return values;
}
