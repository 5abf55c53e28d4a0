/**
 * Compares requests and replies with the API's description. This check is stricter than a client should be: it reports
 * a field of a reply that is not in the description as a fault.
 */
import type { IncomingHttpHeaders } from "node:http";
import { ERRORS, type ErrorCode, errorTexts } from "../../src/domain/errors.ts";
import { DEFAULT_LANGUAGE, type Language } from "../../src/domain/values/language.ts";
import { type ApiOperation, api, callbacks, faultsAt, operationAt, resolve } from "./description.ts";

export interface Exchange {
  readonly method: string;
  /** The path and query, beginning with `/v1`. */
  readonly target: string;
  readonly body: string;
  readonly reply: {
    readonly status: number;
    /** By lower-case name. */
    readonly headers: Readonly<Record<string, string>>;
    /** The whole body. For a stream or a HEAD: the part that was read. */
    readonly body: string;
  };
}

/** Codes of the checks that may come before the merchant's rate limit (docs/specification/signing.md#sign-order). */
const BEFORE_LIMITS: readonly string[] = [
  "PAYLOAD_TOO_LARGE",
  "AUTH_HEADERS_MISSING",
  "INVALID_TIMESTAMP",
  "TIMESTAMP_OUT_OF_RANGE",
  "INVALID_NONCE",
  "INVALID_SIGNATURE",
  "MERCHANT_DISABLED",
  "IP_NOT_ALLOWED",
  "RATE_LIMITED",
  "SERVICE_UNAVAILABLE",
];

const SIGNED = ["x-merchant-id", "x-timestamp", "x-nonce", "x-signature"];

/** Throws an Error that lists each difference of request and reply from the API's description. */
export function assertContract(exchange: Exchange): void {
  const faults = contractFaults(exchange);
  if (faults.length > 0) {
    throw new Error(
      `not as /openapi.json says: ${exchange.method} ${exchange.target}\n${faults.join("\n")}\n${exchange.reply.status} ${exchange.reply.body.slice(0, 2_000)}`,
    );
  }
}

export function contractFaults(exchange: Exchange): string[] {
  const { method, target, reply } = exchange;
  const found = operationAt(method, target);
  const faults = [...(/^[0-9a-f-]{36}$/.test(reply.headers["x-request-id"] ?? "") ? [] : ["no X-Request-Id"])];
  if (reply.status < 400)
    return [
      ...faults,
      ...(found?.operation === undefined
        ? ["a success where nothing is described"]
        : successFaults(found.path, found.operation, exchange)),
    ];
  if (method !== "HEAD") faults.push(...failureFaults(found?.path, found?.operation, exchange));
  return faults;
}

function successFaults(path: string, operation: ApiOperation, exchange: Exchange): string[] {
  const { method, body, reply } = exchange;
  const described = operation.responses[reply.status];
  if (described === undefined) return [`status ${reply.status} is not described`];
  const response = resolve(described);
  const faults = [...queryFaults(path, operation, exchange), ...rateLimitFaults(reply.headers)];
  const at = ["paths", path, method.toLowerCase()];
  if (body !== "") {
    const schemaPath = [...at, "requestBody", "content", "application/json", "schema"];
    faults.push(
      ...(operation.requestBody === undefined
        ? ["a body was taken"]
        : faultsAt(schemaPath, JSON.parse(body)).map((fault) => `the body was taken: ${fault}`)),
    );
  } else if (operation.requestBody?.required) faults.push("no body was taken");
  if (response.content === undefined) return faults;
  const type = (reply.headers["content-type"] ?? "").split(";")[0] ?? "";
  const content = response.content[type];
  if (content === undefined) return [...faults, `media type ${type} is not described`];
  if (type !== "application/json") return [...faults, ...streamFaults(type, content.example ?? "", reply.body)];
  const value = JSON.parse(reply.body) as { success: boolean; message: string; statusCode: number };
  if (value.success !== true || value.statusCode !== reply.status)
    faults.push(`success ${value.success}, statusCode ${value.statusCode}`);
  const messages = Object.values(content.examples ?? {}).map((example) => example.value.message);
  // The description's examples are in the default language, which callers without Accept-Language get.
  if ((reply.headers["content-language"] ?? DEFAULT_LANGUAGE) === DEFAULT_LANGUAGE && !messages.includes(value.message))
    faults.push(`message "${value.message}" is not the described "${messages[0]}"`);
  return [...faults, ...faultsAt([...at, "responses", String(reply.status), "content", type, "schema"], value)];
}

/**
 * The faults of a stream. CSV must have the described columns, in either dialect. The lines of NDJSON must be
 * transactions or rounds, as in the example, and the last line must have their number. The end of a stream that was cut is not checked.
 */
function streamFaults(type: string, example: string, body: string): string[] {
  const lines = body.split("\n").slice(0, -1);
  if (type === "text/csv") {
    const columns = example.split("\n")[0] ?? "";
    const isDescribed = [columns, `\ufeff${columns.replaceAll(",", ";")}`].includes(lines[0] ?? "");
    return isDescribed ? [] : [`columns ${lines[0]}`];
  }
  const schema = example.startsWith('{"tx_id"') ? "Transaction" : "ListedRound";
  const last = JSON.parse(lines.at(-1) ?? "{}") as { complete?: boolean; items?: number };
  const items = last.complete === true ? lines.slice(0, -1) : lines;
  return [
    ...(last.complete !== true || last.items === items.length
      ? []
      : [`${last.items} items are announced, ${items.length} came`]),
    ...items.flatMap((line) => faultsAt(["components", "schemas", schema], JSON.parse(line))),
  ];
}

/** The faults of a callback to a wallet, and of the wallet's reply. */
export function callbackFaults({
  headers,
  body,
  reply,
}: {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly reply: unknown;
}): string[] {
  const value = JSON.parse(body) as { action: string };
  const { path: at, post } = callbacks.get(value.action) ?? { path: [], post: undefined };
  if (post === undefined) return [`no callback has the action of ${body}`];
  const json = ["content", "application/json", "schema"];
  const sent: Readonly<Record<string, unknown>> = {
    "X-Request-Id": headers["x-request-id"],
    "X-Attempt": Number(headers["x-attempt"]),
    "X-Signature-Next": headers["x-signature-next"],
    traceparent: headers.traceparent,
  };
  return [
    ...(post.parameters ?? []).flatMap(({ name, required = false }, i) =>
      sent[name] === undefined && !required ? [] : faultsAt([...at, "parameters", String(i), "schema"], sent[name]),
    ),
    ...SIGNED.filter((name) => headers[name] === undefined),
    ...(headers["content-type"] === "application/json" ? [] : [`Content-Type: ${headers["content-type"]}`]),
    ...faultsAt([...at, "requestBody", ...json], value),
    ...(reply === null ? [] : walletReplyFaults(reply)),
  ].map((fault) => `${fault} ${body}`);
}

function walletReplyFaults(reply: unknown): string[] {
  const { ok, balance, error } = reply as { ok?: unknown; balance?: unknown; error?: unknown };
  return [
    ...faultsAt(["components", "schemas", "WalletReply"], reply),
    ...(ok === true && (balance === undefined || error !== undefined) ? ["a success has a balance and no error"] : []),
  ];
}

/** The faults of the parameters of a successful call. */
function queryFaults(path: string, operation: ApiOperation, { method, target }: Exchange): string[] {
  const parameters = operation.parameters ?? [];
  return [...new URLSearchParams(target.split("?")[1] ?? "")].flatMap(([name, text]) => {
    const index = parameters.findIndex((one) => one.in === "query" && one.name === name);
    const parameter = parameters[index];
    if (parameter === undefined) return [`the undescribed parameter ${name} was taken`];
    const { type } = resolve<{ readonly type?: string }>(parameter.schema);
    const value =
      type === "integer"
        ? Number(text)
        : type === "boolean"
          ? ({ true: true, false: false } as Record<string, boolean>)[text]
          : text;
    return faultsAt(["paths", path, method.toLowerCase(), "parameters", String(index), "schema"], value).map(
      (fault) => `${name}=${text} was taken: ${fault}`,
    );
  });
}

function failureFaults(path: string | undefined, operation: ApiOperation | undefined, { reply }: Exchange): string[] {
  const value = JSON.parse(reply.body) as {
    success: boolean;
    message: string;
    statusCode: number;
    error: { code: ErrorCode; message: string; request_id: string };
  };
  const { code, request_id } = value.error;
  const faults: string[] = [];
  if (value.success !== false) faults.push(`success ${value.success}`);
  if (ERRORS[code]?.http !== reply.status || value.statusCode !== reply.status)
    faults.push(`${code} with status ${reply.status}`);
  const text = errorTexts(code)[reply.headers["content-language"] as Language];
  if (value.message !== text || value.error.message !== value.message) faults.push(`${code} says "${value.message}"`);
  if (!/\bAccept-Language\b/.test(reply.headers.vary ?? "")) faults.push("no Vary: Accept-Language");
  if (request_id !== reply.headers["x-request-id"]) faults.push("request_id is not X-Request-Id");
  if (
    reply.status === 405 &&
    reply.headers.allow !==
      Object.keys(api.paths[path ?? ""] ?? {})
        .map((one) => one.toUpperCase())
        .join(", ")
  )
    faults.push(`Allow: ${reply.headers.allow}`);
  if ((reply.status === 429 || reply.status === 503) && !/^\d+$/.test(reply.headers["retry-after"] ?? ""))
    faults.push("no Retry-After");
  if (!BEFORE_LIMITS.includes(code)) faults.push(...rateLimitFaults(reply.headers));
  return [...faults, ...codeFaults(operation, reply.status, code), ...faultsAt(FAILURE, value)];
}

const FAILURE = ["components", "schemas", "Failure"];

/** The fault of a code that the description of this status does not name. */
function codeFaults(operation: ApiOperation | undefined, status: number, code: ErrorCode): string[] {
  const { responses } = api.components;
  // Authentication comes before the route, so any path may get any code of authentication.
  const described =
    operation === undefined
      ? [responses[`Failure${status}`], responses.NoOperation]
      : [operation.responses[status] ?? responses.NoOperation];
  const codes = described.flatMap((one) =>
    one === undefined ? [] : Object.keys(resolve(one).content?.["application/json"]?.examples ?? {}),
  );
  return codes.includes(code) ? [] : [`${code} is not described`];
}

const rateLimitFaults = (headers: Readonly<Record<string, string>>): string[] =>
  ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"]
    .filter((name) => !/^\d+$/.test(headers[name] ?? ""))
    .map((name) => `no ${name}`);
