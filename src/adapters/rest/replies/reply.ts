import type { ServerResponse } from "node:http";
import { areFaults, ERRORS, type Refusal } from "../../../domain/errors.ts";
import { listedFaults } from "../../../domain/values/field-fault.ts";
import { etagOf, hasCurrent } from "./etag.ts";

/** A reply, without its request id. */
export type Reply = Success | Streamed | Failure;

export interface Success {
  /** Absent: 200. */
  readonly status?: 200 | 202;
  /** For people, in Portuguese. */
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** The reply gets an ETag. A caller that sends this ETag gets 304 without a body. */
  readonly tagged?: true;
  readonly headers?: Headers;
}

/** A 200 without an envelope, of any length. A chunk is made when the chunk before it is sent. */
export interface Streamed {
  readonly contentType: string;
  readonly chunks: AsyncIterable<string>;
  readonly headers?: Headers;
}

export interface Failure {
  readonly refusal: Refusal;
  readonly headers?: Headers;
}

type Headers = Readonly<Record<string, string>>;

export const REQUEST_ID_HEADER = "X-Request-Id";

/**
 * Keeps the request id in `locals`, where Express keeps the values of one request. setHeader() for each header would
 * cost a reply more than writing all headers together does.
 */
export const identify = (response: ServerResponse, requestId: string): void =>
  void Object.assign(response, { locals: { requestId } });
export const requestIdOf = (response: ServerResponse): string =>
  (response as ServerResponse & { locals: { requestId: string } }).locals.requestId;

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
  if ("refusal" in reply) {
    const { http } = ERRORS[reply.refusal.code];
    // A caller that repeats the request should wait first.
    const headers = { ...(http === 503 && { "Retry-After": "1" }), ...reply.headers };
    sendJson(response, http, failureBody(reply.refusal, requestId), requestId, headers);
    return;
  }
  const status = reply.status ?? 200;
  const body = { success: true, message: reply.message, statusCode: status, data: reply.data };
  if (reply.tagged === true) sendTagged(response, body, requestId, ifNoneMatch, reply.headers);
  else sendJson(response, status, body, requestId, reply.headers);
}

function sendTagged(
  response: ServerResponse,
  body: object,
  requestId: string,
  ifNoneMatch: readonly string[],
  more: Headers = {},
): void {
  const text = JSON.stringify(body);
  const etag = etagOf(text);
  // Only the caller's own cache may keep the reply, and it must ask again before each use.
  const headers = { ETag: etag, "Cache-Control": "private, no-cache", ...more };
  if (hasCurrent(ifNoneMatch, etag)) response.writeHead(304, { [REQUEST_ID_HEADER]: requestId, ...headers }).end();
  else sendText(response, 200, text, requestId, headers);
}

export function failureBody(
  { code, details, field }: Refusal,
  requestId: string,
  status: number = ERRORS[code].http,
): object {
  const { message } = ERRORS[code];
  const more = areFaults(details) ? listedFaults(details) : (details ?? (field === undefined ? undefined : { field }));
  return {
    success: false,
    message,
    statusCode: status,
    error: { code, message, ...(more !== undefined && { details: more }), request_id: requestId },
  };
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

/** Takes text, because Node writes a text body to the socket together with the headers. */
function sendText(response: ServerResponse, status: number, text: string, requestId: string, headers: Headers): void {
  // A reply that has begun can't be replaced by another one.
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
