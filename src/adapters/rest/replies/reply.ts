import type { ServerResponse } from "node:http";
import { areFaults, ERRORS, type Refusal } from "../../../domain/errors.ts";
import { listedFaults } from "../../../domain/values/field-fault.ts";
import { etagOf, hasCurrent } from "./etag.ts";

/** What goes back, before it has a request id. */
export type Reply = Success | Streamed | Failure;

export interface Success {
  /** 200 when it isn't said. */
  readonly status?: 200 | 202;
  /** For people, in Portuguese. */
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Callers may keep it: an ETag goes out, and who has it already gets 304 without a body. */
  readonly tagged?: true;
  readonly headers?: Headers;
}

/** A 200 without an envelope, of any length: a chunk is made when the one before is on its way. */
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

/** In Express' own place for what belongs to one request. A header set at once would cost each reply more than all that are written together. */
export const identify = (response: ServerResponse, requestId: string): void => void Object.assign(response, { locals: { requestId } });
export const requestIdOf = (response: ServerResponse): string => (response as ServerResponse & { locals: { requestId: string } }).locals.requestId;

/**
 * Writes the envelope that every operation answers with (docs/specification/rest-api.md#rest-success).
 *
 * @param ifNoneMatch - the values of the request's header.
 */
export function sendReply(response: ServerResponse, reply: Exclude<Reply, Streamed>, requestId: string, ifNoneMatch: readonly string[] = []): void {
  if ("refusal" in reply) {
    const { http } = ERRORS[reply.refusal.code];
    // Who may repeat the very same request should not do so at once.
    const headers = { ...(http === 503 && { "Retry-After": "1" }), ...reply.headers };
    sendJson(response, http, failureBody(reply.refusal, requestId), requestId, headers);
    return;
  }
  const status = reply.status ?? 200;
  const body = { success: true, message: reply.message, statusCode: status, data: reply.data };
  if (reply.tagged === true) sendTagged(response, body, requestId, ifNoneMatch, reply.headers);
  else sendJson(response, status, body, requestId, reply.headers);
}

function sendTagged(response: ServerResponse, body: object, requestId: string, ifNoneMatch: readonly string[], more: Headers = {}): void {
  const text = JSON.stringify(body);
  const etag = etagOf(text);
  // A cache may keep it, for this caller alone, and asks each time.
  const headers = { ETag: etag, "Cache-Control": "private, no-cache", ...more };
  if (hasCurrent(ifNoneMatch, etag)) response.writeHead(304, { [REQUEST_ID_HEADER]: requestId, ...headers }).end();
  else sendText(response, 200, text, requestId, headers);
}

export function failureBody({ code, details, field }: Refusal, requestId: string, status: number = ERRORS[code].http): object {
  const { message } = ERRORS[code];
  const more = areFaults(details) ? listedFaults(details) : (details ?? (field === undefined ? undefined : { field }));
  return { success: false, message, statusCode: status, error: { code, message, ...(more !== undefined && { details: more }), request_id: requestId } };
}

export function sendJson(response: ServerResponse, status: number, body: object, requestId: string, headers: Headers = {}): void {
  sendText(response, status, JSON.stringify(body), requestId, headers);
}

/** Text, for Node writes it to the socket together with the headers. */
function sendText(response: ServerResponse, status: number, text: string, requestId: string, headers: Headers): void {
  // A handler that failed half-way can't be answered any more.
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
