import type { ServerResponse } from "node:http";
import { etagOf, hasCurrent } from "../../../../web-files/etag.ts";
import { areFaults, ERRORS, errorTexts, type Refusal } from "../../../domain/errors.ts";
import { listedFaults } from "../../../domain/values/field-fault.ts";
import { DEFAULT_LANGUAGE, type Language, type Texts } from "../../../domain/values/language.ts";
import { languageOf } from "../requests/accept-language.ts";

/** A reply, without its request id. */
export type Reply = Success | Streamed | Failure;

export interface Success {
  /** The HTTP status; absent: 200. */
  readonly status?: 200 | 202;
  /** The message for people. */
  readonly message: Texts;
  readonly data: Readonly<Record<string, unknown>>;
  /** If present, the reply gets an ETag. A caller that sends this ETag gets 304 without a body. */
  readonly tagged?: true;
  readonly headers?: Headers;
}

/** A reply of any length with status 200 and no envelope. Each chunk is created after the chunk before it was sent. */
export interface Streamed {
  readonly contentType: string;
  readonly chunks: (language: Language) => AsyncIterable<string>;
  readonly headers?: Headers;
}

export interface Failure {
  readonly refusal: Refusal;
  readonly headers?: Headers;
}

type Headers = Readonly<Record<string, string>>;

export const REQUEST_ID_HEADER = "X-Request-Id";

/**
 * Stores the request id in `locals`, where Express keeps the values of one request. It is sent with the other headers:
 * a setHeader() call for each header would cost more than writing all of them together.
 */
export const identify = (response: ServerResponse, requestId: string): void =>
  void Object.assign(response, { locals: { requestId } });
export const requestIdOf = (response: ServerResponse): string =>
  (response as ServerResponse & { locals: { requestId: string } }).locals.requestId;

/** The headers of a reply with texts for people. */
export const LANGUAGE_HEADERS: Readonly<Record<Language, Headers>> = {
  pt: { "Content-Language": "pt", Vary: "Accept-Language" },
  es: { "Content-Language": "es", Vary: "Accept-Language" },
  en: { "Content-Language": "en", Vary: "Accept-Language" },
};

/** The language that the caller of this response prefers. */
export const languageFor = ({ req }: ServerResponse): Language => languageOf(req.headers["accept-language"]);

/**
 * Writes a reply in the envelope of the API (docs/specification/rest-api.md#rest-success).
 *
 * @param ifNoneMatch - the values of the request's If-None-Match lines.
 */
export function sendReply(
  response: ServerResponse,
  reply: Exclude<Reply, Streamed>,
  requestId: string,
  ifNoneMatch: readonly string[] = [],
): void {
  const language = languageFor(response);
  if ("refusal" in reply) {
    const { http } = ERRORS[reply.refusal.code];
    // With Retry-After, a caller waits before it repeats the request.
    const headers = {
      ...LANGUAGE_HEADERS[language],
      ...(http === 503 && { "Retry-After": "1" }),
      ...reply.headers,
    };
    sendJson(response, http, failureBody(reply.refusal, requestId, language), requestId, headers);
    return;
  }
  const status = reply.status ?? 200;
  const body = { success: true, message: reply.message[language], statusCode: status, data: reply.data };
  const headers = { ...LANGUAGE_HEADERS[language], ...reply.headers };
  if (reply.tagged === true) sendTagged(response, body, requestId, ifNoneMatch, headers);
  else sendJson(response, status, body, requestId, headers);
}

function sendTagged(
  response: ServerResponse,
  body: object,
  requestId: string,
  ifNoneMatch: readonly string[],
  more: Headers,
): void {
  const text = JSON.stringify(body);
  const etag = etagOf(text);
  // Only the caller's own cache may store the reply. The cache must check with the service before each use.
  const headers = { ETag: etag, "Cache-Control": "private, no-cache", ...more };
  if (hasCurrent(ifNoneMatch, etag)) response.writeHead(304, { [REQUEST_ID_HEADER]: requestId, ...headers }).end();
  else sendText(response, 200, text, requestId, headers);
}

export function failureBody(
  refusal: Refusal,
  requestId: string,
  language: Language = DEFAULT_LANGUAGE,
  status: number = ERRORS[refusal.code].http,
): object {
  const { code } = refusal;
  const message = errorTexts(code)[language];
  const more = detailsOf(refusal, language);
  return {
    success: false,
    message,
    statusCode: status,
    error: { code, message, ...(more !== undefined && { details: more }), request_id: requestId },
  };
}

/** `error.details` of a refusal; undefined: the refusal has no details. */
export function detailsOf({ details, field }: Refusal, language: Language): unknown {
  if (!areFaults(details)) return details ?? (field === undefined ? undefined : { field });
  return listedFaults(details).map(({ field, rule, message }) => ({
    field,
    rule,
    message: message?.[language] ?? `${field}: ${rule}.`,
  }));
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  requestId: string,
  headers: Headers = {},
): void {
  sendText(response, status, JSON.stringify(body), requestId, headers);
}

/** The body is passed as text, because Node then writes it to the socket together with the headers. */
function sendText(response: ServerResponse, status: number, text: string, requestId: string, headers: Headers): void {
  // If a reply has begun, it can't be replaced by another reply.
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(text),
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    [REQUEST_ID_HEADER]: requestId,
    ...headers,
  });
  response.end(text);
}
