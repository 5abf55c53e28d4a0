import type { Admission, Authenticate } from "../../app/merchant/authenticate.ts";
import { ok, type Result, refuse } from "../../domain/errors.ts";
import type { Merchant } from "../../ports/settings-store.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
import { operationOf } from "./operation-class.ts";
import type { Failure, Reply } from "./replies/reply.ts";
import { type JsonObject, readJsonBody } from "./requests/json-body.ts";
import { type ApiTarget, V1_TWICE } from "./requests/request-target.ts";
import { findRoute, type Route } from "./route.ts";

/** A request under `/v1` with its body. */
export interface ApiRequest {
  readonly method: string;
  readonly target: ApiTarget;
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>;
  /**
   * `too_large`: the body is over 64 KiB. `no_room`: too many bodies arrive at once. The content was discarded in both
   * cases.
   */
  readonly body: Uint8Array | "too_large" | "no_room";
  readonly address: string;
  /** Called with the path of the route that answers, such as `/v1/transactions/{tx_id}`. */
  readonly onRoute?: (path: string) => void;
  /** Called when the signature is found right. */
  readonly onSigned?: () => void;
}

/** The signed API without an HTTP server. It authenticates a request, and then finds and runs the request's route. */
export class SignedApi {
  readonly #authenticate: Authenticate;
  readonly #routes: readonly Route[];
  readonly #telemetry: Telemetry;

  constructor(authenticate: Authenticate, routes: readonly Route[], telemetry: Telemetry) {
    this.#authenticate = authenticate;
    this.#routes = routes;
    this.#telemetry = telemetry;
  }

  /** Answers a request. Before its body is read, call {@link tooMany}. */
  async answer(request: ApiRequest): Promise<Reply> {
    const { body } = request;
    if (body === "too_large") return refuse("PAYLOAD_TOO_LARGE");
    if (body === "no_room") return refuse("OVERLOADED");
    const { signed: target, path } = request.target;
    const admission = await this.#authenticate.authenticate({ ...request, target, body, operation: operationOf(path) });
    const { caller, quota } = admission;
    if (quota !== null) request.onSigned?.();
    const reply: Reply = caller.ok ? await this.#run(caller.value, { ...request, body }).catch(this.#broken) : caller;
    return { ...reply, headers: { ...reply.headers, ...limitHeaders(admission) } };
  }

  /** Counts a request of an address, signed or not. `undefined`: the address is within its limit. */
  tooMany(address: string): Failure | undefined {
    const refused = this.#authenticate.tooMany(address);
    return refused === null ? undefined : { ...refused.caller, headers: limitHeaders(refused) };
  }

  /** The answer after a bug of this service. The cause is written only to the log. */
  readonly #broken = (cause: unknown): Reply => {
    this.#telemetry.error("request failed", cause);
    return refuse("INTERNAL_ERROR");
  };

  /**
   * Runs a request that is authenticated. Refusals in this order: BAD_REQUEST (target), NOT_FOUND, METHOD_NOT_ALLOWED,
   * faults of the content.
   */
  async #run(merchant: Merchant, request: ApiRequest & { readonly body: Uint8Array }): Promise<Reply> {
    const { method, target } = request;
    if (target.ambiguous) return refuse("BAD_REQUEST", { field: "target" });
    const found = findRoute(this.#routes, method, target.path);
    if (found.found === "nothing")
      return refuse("NOT_FOUND", /^\/v1\/v1(\/|$)/.test(target.path) ? { details: V1_TWICE } : {});
    if (found.found === "path")
      return { refusal: { code: "METHOD_NOT_ALLOWED" }, headers: { Allow: found.allow.join(", ") } };
    request.onRoute?.(found.route.path);
    const body = readBody(request, found.route.bodyIsOptional === true);
    if (!body.ok) return body;
    const answer = await found.route.answer({ merchant, path: found.path, body: body.value }, target.query);
    return answer.ok ? answer.value : answer;
  }
}

function readBody(request: ApiRequest & { readonly body: Uint8Array }, isOptional: boolean): Result<JsonObject> {
  if (request.method === "POST") return readJsonBody(request, isOptional);
  return request.body.length > 0 ? refuse("BAD_REQUEST", { field: "body" }) : ok({});
}

/**
 * The RateLimit headers of a reply, if the merchant's limit was checked, and Retry-After, if a limit refused the
 * request.
 */
const limitHeaders = ({ quota, retryAfterS }: Admission): Readonly<Record<string, string>> => ({
  ...(quota !== null && {
    "RateLimit-Limit": String(quota.limit),
    "RateLimit-Remaining": String(quota.remaining),
    "RateLimit-Reset": String(quota.resetS),
  }),
  ...(retryAfterS !== null && { "Retry-After": String(retryAfterS) }),
});
