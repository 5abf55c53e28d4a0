import { sendReply } from "../../../../src/adapters/rest/replies/reply.ts";
import { decodePercent } from "../../../../src/adapters/rest/requests/query.ts";
import { readTarget } from "../../../../src/adapters/rest/requests/request-target.ts";
import { ERRORS } from "../../../../src/domain/errors.ts";
import { sign } from "../../../../src/domain/signing/signing.ts";
import { contractFaults } from "../../../../testbed/callers/contract.ts";
import type { SeededRandom } from "../../../../testbed/seeded-random.ts";
import { type InProcess, MERCHANTS, NOW, SECRET } from "../../in-process.ts";
import type { Kind } from "../../kind.ts";
import { mutateBytes, mutateFields, mutateText } from "../../mutate.ts";
import { launchFields } from "../parsers/json-bodies.ts";
import { targetText } from "../parsers/targets.ts";

/** A request as it reaches the API, and its differences from the signed request. */
export interface RestInput {
  readonly merchant: string;
  readonly method: string;
  readonly target: string;
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  readonly address: string;
  /**
   * The signed parts that differ from the sent parts. `signature`: the sent signature, in which a `?` means the right
   * digit. Empty: all parts are sent as they were signed.
   */
  readonly signed: Readonly<Partial<Record<"method" | "target" | "body" | "signature", string>>>;
}

export const restRequest = (random: SeededRandom): RestInput => {
  const launches = random.chance(0.4);
  const target = launches ? "/v1/game/launch" : targetText(random);
  const method = launches || target.includes("resend") ? "POST" : "GET";
  const body = launches ? JSON.stringify(launchFields(random)) : "";
  return {
    method,
    target,
    body: Buffer.from(body),
    signed: {},
    merchant: random.chance(0.85) ? "shop-brl" : random.pick([...MERCHANTS, "nobody"]),
    headers: launches ? { "content-type": "application/json" } : {},
    address: `192.0.${random.int(2, 3)}.${random.int(0, 255)}`,
  };
};

export const mutateRestRequest = (random: SeededRandom, input: RestInput): RestInput => {
  switch (random.int(0, 13)) {
    case 0:
      return {
        ...input,
        method: random.pick(["GET", "POST", "DELETE", "PUT", "PATCH", "OPTIONS", "HEAD", "TRACE", "get"]),
      };
    case 1:
    case 2:
    case 7:
    case 8:
      return { ...input, target: mutateText(random, input.target) };
    case 3:
    case 9: {
      const name = random.pick([
        "content-type",
        "content-encoding",
        "x-timestamp",
        "x-nonce",
        "x-merchant-id",
        "if-none-match",
      ]);
      return {
        ...input,
        headers: { ...input.headers, [name]: mutateText(random, input.headers[name] ?? "application/json") },
      };
    }
    case 4:
    case 5:
    case 10:
    case 11:
    case 12: {
      const fields = objectOf(input.body);
      return {
        ...input,
        body:
          fields === undefined
            ? mutateBytes(random, input.body)
            : Buffer.from(JSON.stringify(mutateFields(random, fields))),
      };
    }
    case 6:
      return {
        ...input,
        signed: {
          ...input.signed,
          [random.pick(["method", "target", "body"] as const)]: mutateText(random, input.target),
        },
      };
    default:
      return { ...input, signed: { ...input.signed, signature: mutateText(random, "?".repeat(64)) } };
  }
};

/** The errors of a wrong signature, and the errors that may come before it. */
const UNSIGNED = [
  "AUTH_HEADERS_MISSING",
  "INVALID_TIMESTAMP",
  "TIMESTAMP_OUT_OF_RANGE",
  "INVALID_NONCE",
  "INVALID_SIGNATURE",
  "RATE_LIMITED",
  "SERVICE_UNAVAILABLE",
];

/** Requests of the signed API, from the raw target to the envelope, compared with the API's description. */
export function restRequests({ api, telemetry }: InProcess): Kind<RestInput> {
  return {
    name: "rest",
    reader: "the signed API: authentication, routes, use cases, SQLite",
    perMillion: 5_000,
    generate: restRequest,
    mutate: mutateRestRequest,
    check: async (input) => {
      const { method, target: raw, body, address } = input;
      const target = readTarget(raw, "");
      if (target === undefined) return [];
      const headers = signedHeaders(input, target.signed);
      const reply = await api.answer({ method, target, headers, body, address });
      const captured = await capture(reply, headers["if-none-match"]);
      const code = captured.status < 400 ? "" : (JSON.parse(captured.body).error.code as string);
      const faults = telemetry.faults.splice(0);
      if (captured.status === 500) faults.push(`answered ${code}`);
      // A path that can't be decoded belongs to no operation.
      const isNothing = code === "NOT_FOUND" && decodePercent(target.path) === undefined;
      if (method !== "HEAD" && !isNothing)
        faults.push(
          ...contractFaults({ method, target: target.signed, body: Buffer.from(body).toString(), reply: captured }),
        );
      if (!Object.hasOwn(ERRORS, code || "INTERNAL_ERROR")) faults.push(`the code ${code}`);
      const [timestamp = "", nonce = "", signature] = ["x-timestamp", "x-nonce", "x-signature"].map(
        (name) => headers[name]?.[0],
      );
      const isForged = signature !== sign(SECRET, { timestamp, nonce, method, target: target.signed, body });
      if (isForged && !UNSIGNED.includes(code))
        faults.push(`passed with a forged signature: ${captured.status} ${code}`);
      return faults;
    },
  };
}

let nonces = 0;

/** The four headers, signed as the input says, with a new nonce each. */
export function signedHeaders(input: RestInput, target: string, now = NOW): Record<string, readonly string[]> {
  const { merchant, method, body, headers, signed } = input;
  const {
    "x-timestamp": timestamp = String(now),
    "x-nonce": nonce = `fuzz_nonce_${String(++nonces).padStart(12, "0")}`,
  } = headers;
  const parts = {
    timestamp,
    nonce,
    method: signed.method ?? method,
    target: signed.target ?? target,
    body: signed.body ?? body,
  };
  const all = {
    "x-merchant-id": merchant,
    ...headers,
    "x-timestamp": timestamp,
    "x-nonce": nonce,
    "x-signature": filled(signed.signature, sign(SECRET, parts)),
  };
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, [value]]));
}

const filled = (template: string | undefined, right: string): string =>
  template === undefined ? right : [...template].map((char, i) => (char === "?" ? (right[i] ?? "") : char)).join("");

type Reply = Awaited<ReturnType<InProcess["api"]["answer"]>>;

/** The reply as it would be sent. */
async function capture(reply: Reply, ifNoneMatch: readonly string[] | undefined) {
  const requestId = "00000000-0000-4000-8000-000000000000";
  if ("chunks" in reply) {
    let body = "";
    for await (const chunk of reply.chunks("pt")) body += chunk;
    return {
      status: 200,
      headers: lower({ "Content-Type": reply.contentType, "X-Request-Id": requestId, ...reply.headers }),
      body,
    };
  }
  const written = { status: 0, headers: {} as Record<string, string>, body: "" };
  const response = {
    req: { headers: {} },
    headersSent: false,
    writeHead(status: number, headers: Readonly<Record<string, string | number>>) {
      Object.assign(written, { status, headers: lower(headers) });
      return response;
    },
    end(text = "") {
      written.body = text;
    },
  };
  sendReply(response as never, reply, requestId, ifNoneMatch);
  return written;
}

const lower = (headers: Readonly<Record<string, string | number>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));

function objectOf(body: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString());
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
