import type { Authenticate } from "../../app/authenticate.ts";
import { ok, type Result, refuse } from "../../domain/errors.ts";
import type { Merchant } from "../../ports/settings-store.ts";
import { type JsonObject, readJsonBody } from "./json-body.ts";
import type { Reply } from "./reply.ts";
import type { ApiTarget } from "./request-target.ts";
import { findRoute, type Route } from "./route.ts";

/** A request under `/v1`, its body read. */
export interface ApiRequest {
  readonly method: string;
  readonly target: ApiTarget;
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>;
  /** `too_large`: over 64 KiB, whatever it says. */
  readonly body: Uint8Array | "too_large";
  readonly address: string;
}

/** The signed API without its server: authenticates, then finds and runs the route. */
export class SignedApi {
  readonly #authenticate: Authenticate;
  readonly #routes: readonly Route[];

  constructor(authenticate: Authenticate, routes: readonly Route[]) {
    this.#authenticate = authenticate;
    this.#routes = routes;
  }

  async answer(request: ApiRequest): Promise<Reply> {
    const { body } = request;
    if (body === "too_large") return refuse("PAYLOAD_TOO_LARGE");
    const caller = await this.#authenticate.authenticate({ ...request, target: request.target.signed, body });
    return caller.ok ? this.#run(caller.value, { ...request, body }) : caller;
  }

  /** From here on the request is the merchant's own: NOT_FOUND, METHOD_NOT_ALLOWED, then what is wrong with its content. */
  async #run(merchant: Merchant, request: ApiRequest & { readonly body: Uint8Array }): Promise<Reply> {
    const { method, target } = request;
    if (target.ambiguous) return refuse("BAD_REQUEST", { field: "target" });
    const found = findRoute(this.#routes, method, target.path);
    if (found.found === "nothing") return refuse("NOT_FOUND");
    if (found.found === "path") return { refusal: { code: "METHOD_NOT_ALLOWED" }, headers: { Allow: found.allow.join(", ") } };
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
