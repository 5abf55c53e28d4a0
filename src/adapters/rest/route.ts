import { type FieldFault, type Result, refuse } from "../../domain/errors.ts";
import type { Merchant } from "../../ports/settings-store.ts";
import type { Streamed, Success } from "./replies/reply.ts";
import type { JsonObject } from "./requests/json-body.ts";
import { decodePercent, type Parameters, parseQuery, type Query } from "./requests/query.ts";

type Method = "GET" | "POST" | "DELETE";

/** An authenticated request, read as far as its route asks. */
export interface Call<P extends Parameters = Parameters> {
  readonly merchant: Merchant;
  /** What stands in the path's braces, percent-decoded. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Query<P>;
  /** Of a POST; empty otherwise. */
  readonly body: JsonObject;
}

/** One operation of the API, in one entry of the table. */
export interface Operation<P extends Parameters> {
  readonly method: Method;
  /** From `/v1` on; `{name}` matches one segment. */
  readonly path: string;
  /** Every query parameter it knows; others are refused. */
  readonly query: P;
  /** What else is wrong with the parameters, those that could be read: told together with the faults of the others. */
  readonly faults?: (call: Call<P>) => readonly FieldFault[];
  /** A POST that needs no body, and no Content-Type either. */
  readonly bodyIsOptional?: true;
  readonly answer: (call: Call<P>) => Answer | Promise<Answer>;
}

type Answer = Result<Success | Streamed>;

/** An operation whose query is still text. */
export interface Route {
  readonly method: Method;
  readonly segments: readonly string[];
  readonly bodyIsOptional?: boolean;
  readonly answer: (call: Omit<Call, "query">, query: string) => Promise<Answer>;
}

export function route<P extends Parameters>(operation: Operation<P>): Route {
  const { method, path, query: parameters, faults: more = () => [], bodyIsOptional = false, answer } = operation;
  return {
    method,
    segments: path.split("/"),
    bodyIsOptional,
    answer: async (call, text) => {
      const { values: query, faults } = parseQuery(text, parameters);
      const all = [...faults, ...more({ ...call, query })];
      return all.length > 0 ? refuse("VALIDATION_ERROR", { details: all }) : answer({ ...call, query });
    },
  };
}

export type Found =
  | { readonly found: "route"; readonly route: Route; readonly path: Readonly<Record<string, string>> }
  | { readonly found: "path"; readonly allow: readonly Method[] }
  | { readonly found: "nothing" };

/** Finds the route of a method and a raw path, or the methods that the path has. */
export function findRoute(routes: readonly Route[], method: string, rawPath: string): Found {
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
