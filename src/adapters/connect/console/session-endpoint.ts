import type { IncomingMessage, ServerResponse } from "node:http";
import type { ConsoleSessions, SignedIn } from "../../../app/access/console-sessions.ts";
import { plainAddress } from "../../../domain/access/ip-list.ts";
import { ERRORS, type ErrorCode, errorTexts, type Result, refuse } from "../../../domain/errors.ts";
import { StoreUnavailable } from "../../../ports/store-unavailable.ts";
import type { Telemetry } from "../../../ports/telemetry.ts";
import { discardBody, RawBodies } from "../../http/raw-body.ts";
import { isApiContent, isFromHttpsPage, isFromOwnPage } from "./own-page.ts";
import { removeSession, sessionIn, setSession } from "./session-cookie.ts";

/** The longest admin key that is looked up. The keys that the service creates have 43 characters. */
const KEY_MAX = 256;
/** The longest body of a sign-in: the key and the names around it. */
const BODY_MAX_BYTES = 4_096;
const METHODS = "GET, HEAD, POST, DELETE";

type Answer = { readonly status: 200; readonly body: object } | { readonly status: 204 };

/** Serves /console/session: POST signs in with an admin key, GET returns who is signed in, DELETE signs out. */
export class SessionEndpoint {
  readonly #sessions: ConsoleSessions;
  readonly #telemetry: Telemetry;
  readonly #bodies = new RawBodies(BODY_MAX_BYTES);

  constructor(sessions: ConsoleSessions, telemetry: Telemetry) {
    this.#sessions = sessions;
    this.#telemetry = telemetry;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("X-Content-Type-Options", "nosniff");
    if (request.method !== "POST") discardBody(request);
    const answer = await this.#answer(request, response).catch((cause: unknown) => {
      this.#telemetry.error("console session", cause);
      return refuse(cause instanceof StoreUnavailable ? "SERVICE_UNAVAILABLE" : "INTERNAL_ERROR");
    });
    if (!answer.ok) sendRefusal(response, answer.refusal.code);
    else if (answer.value.status === 204) response.writeHead(204).end();
    else sendJson(response, 200, answer.value.body);
  }

  #answer(request: IncomingMessage, response: ServerResponse): Promise<Result<Answer>> {
    switch (request.method) {
      case "POST":
        return this.#signIn(request, response);
      case "GET":
      case "HEAD":
        return this.#show(request);
      case "DELETE":
        return this.#signOut(request, response);
      default:
        response.setHeader("Allow", METHODS);
        return Promise.resolve(refuse("METHOD_NOT_ALLOWED"));
    }
  }

  async #signIn(request: IncomingMessage, response: ServerResponse): Promise<Result<Answer>> {
    // Without this check, a page of another site could sign its visitor in with the page's own key.
    const isForeign = !isFromOwnPage(request);
    if (isForeign || !isApiContent(request)) {
      discardBody(request);
      return refuse(isForeign ? "FOREIGN_PAGE" : "UNSUPPORTED_MEDIA_TYPE");
    }
    const body = await this.#bodies.read(request);
    if (body === "too_large") return refuse("PAYLOAD_TOO_LARGE");
    if (body === "no_room") return refuse("OVERLOADED");
    const key = body === "aborted" ? undefined : keyIn(body);
    if (key === undefined) return refuse("BAD_REQUEST");
    const made = await this.#sessions.signIn(key, plainAddress(request.socket.remoteAddress ?? ""));
    if (!made.ok) return made;
    response.setHeader("Set-Cookie", setSession(made.value.id, isFromHttpsPage(request)));
    return { ok: true, value: { status: 200, body: shown(made.value) } };
  }

  async #show(request: IncomingMessage): Promise<Result<Answer>> {
    const id = sessionIn(request) ?? "";
    if (id !== "" && !this.#sessions.isOwn(id))
      return this.#sessions.refuseInvented(plainAddress(request.socket.remoteAddress ?? ""));
    const found = await this.#sessions.find(id);
    if (!found.ok) return found;
    return found.value === undefined
      ? refuse("INVALID_API_KEY")
      : { ok: true, value: { status: 200, body: shown(found.value) } };
  }

  async #signOut(request: IncomingMessage, response: ServerResponse): Promise<Result<Answer>> {
    if (!isFromOwnPage(request)) return refuse("FOREIGN_PAGE");
    await this.#sessions.signOut(sessionIn(request) ?? "");
    response.setHeader("Set-Cookie", removeSession(isFromHttpsPage(request)));
    return { ok: true, value: { status: 204 } };
  }
}

/** Sends `{code, message}`. The page decides by the code. */
function sendRefusal(response: ServerResponse, code: ErrorCode): void {
  sendJson(response, ERRORS[code].http, { code, message: errorTexts(code).en });
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "Content-Type": "application/json; charset=utf-8" }).end(JSON.stringify(body));
}

const shown = ({ name, role, expiresAt }: SignedIn) => ({ name, role, expiresAt: new Date(expiresAt).toISOString() });

/** The field `key` of a JSON body. Undefined: the body has another form. */
function keyIn(body: Buffer): string | undefined {
  try {
    const { key } = JSON.parse(body.toString("utf8")) as { readonly key?: unknown };
    return typeof key === "string" && key !== "" && key.length <= KEY_MAX ? key : undefined;
  } catch {
    return undefined;
  }
}
