import test, { type ExecutionContext } from "ava";
import { DEFAULT_RATES, RateLimits } from "../../../../src/app/capacity/rate-limits.ts";
import type { Transactions } from "../../../../src/app/merchant/transactions.ts";
import { ERRORS, type ErrorCode, type ExplainedCode } from "../../../../src/domain/errors.ts";
import { describedDetails } from "../../../../testbed/callers/description.ts";
import {
  errorOf,
  NOW,
  type RestTestOptions,
  type RestUnderTest,
  type SignedParts,
} from "../../../../testbed/callers/rest-server.ts";
import { ManualClock } from "../../../../testbed/in-process/manual-clock.ts";
import { MemoryNonceStore } from "../../../../testbed/memory/nonce-store.ts";
import { MemorySessionStore } from "../../../../testbed/memory/session-store.ts";
import { startStocked } from "../stocked-api.ts";

/** Requests to an API that is started with `options`. The reply to the last request has the code. */
interface Provocation {
  readonly send: readonly SignedParts[];
  readonly options?: RestTestOptions;
}

class AbsentNonces extends MemoryNonceStore {
  override async use(): Promise<never> {
    throw new Error("no database");
  }
}
class AbsentSessions extends MemorySessionStore {
  override async create(): Promise<never> {
    throw new Error("no database");
  }
}
const clock = new ManualClock();
const broken = { show: () => Promise.reject(new Error("a bug")) } as unknown as Transactions;

const launch = (body: object, merchant = "casa-br", options: RestTestOptions = {}): Provocation => ({
  send: [
    {
      method: "POST",
      target: "/v1/game/launch",
      body: JSON.stringify({ player_id: "u-1", game: "fruits", ...body }),
      merchant,
    },
  ],
  options,
});
const call = (...send: SignedParts[]): Provocation => ({ send });

const PROVOKED: Partial<Record<ErrorCode, Provocation>> = {
  PAYLOAD_TOO_LARGE: call({ method: "POST", target: "/v1/game/launch", body: "x".repeat(65_537) }),
  AUTH_HEADERS_MISSING: call({ headers: { "X-Nonce": null } }),
  INVALID_TIMESTAMP: call({ timestamp: String(NOW / 1_000) }),
  TIMESTAMP_OUT_OF_RANGE: call({ timestamp: String(NOW - 300_001) }),
  INVALID_NONCE: call({ nonce: "short" }),
  INVALID_SIGNATURE: { send: [{ secret: "another" }], options: { explains: true } },
  MERCHANT_DISABLED: call({ merchant: "suspended" }),
  IP_NOT_ALLOWED: call({ merchant: "elsewhere" }),
  RATE_LIMITED: {
    send: Array.from({ length: 3 }, () => ({})),
    options: {
      rateLimits: new RateLimits(clock, () => 1, {
        ...DEFAULT_RATES,
        operations: { ...DEFAULT_RATES.operations, catalog: 1 },
      }),
    },
  },
  NONCE_REUSED: call({ nonce: "once_and_never_again" }, { nonce: "once_and_never_again" }),
  NOT_FOUND: call({ target: "/v1/v1/games" }),
  METHOD_NOT_ALLOWED: call({ method: "DELETE", target: "/v1/games" }),
  UNSUPPORTED_MEDIA_TYPE: call({
    method: "POST",
    target: "/v1/game/launch",
    body: "{}",
    headers: { "Content-Type": "text/plain" },
  }),
  BAD_REQUEST: call({ method: "POST", target: "/v1/game/launch", body: "{" }),
  VALIDATION_ERROR: call({ target: "/v1/reports/ggr" }),
  UNSUPPORTED_CURRENCY: launch({ currency: "EUR" }),
  CURRENCY_NOT_ENABLED: launch({ currency: "CLP" }),
  INVALID_COUNTRY: launch({ country: "UK" }),
  GAME_NOT_FOUND: launch({ game: "none" }),
  AMBIGUOUS_GAME: launch({ game: "twice" }),
  PRODUCT_NOT_ENABLED: launch({}, "live-only"),
  PROVIDER_NOT_SUPPORTED: launch({ game: "bare" }),
  LAUNCH_FAILED: launch({ game: "broken" }),
  WALLET_NOT_CONFIGURED: launch({}, "no-wallet"),
  LAUNCH_GAME_FAILED: launch({}, "casa-br", { sessions: new AbsentSessions(clock) }),
  TRANSACTION_NOT_FOUND: call({ target: "/v1/transactions/NORTH:none" }),
  ROUND_NOT_FOUND: call({ target: "/v1/rounds/NORTH/none" }),
  NOT_RESENDABLE: call({ method: "POST", target: "/v1/transactions/NORTH:b1/resend" }),
  SERVICE_UNAVAILABLE: { send: [{}], options: { nonces: new AbsentNonces(clock) } },
  INTERNAL_ERROR: { send: [{ target: "/v1/transactions/x" }], options: { transactions: broken } },
};

async function provoke(
  t: ExecutionContext,
  { send, options = {} }: Provocation,
): Promise<Awaited<ReturnType<RestUnderTest["send"]>>> {
  const rest = await startStocked(t, options);
  const replies = [];
  // rest.send compares each reply with the API's description.
  for (const parts of send) replies.push(await rest.send(parts));
  const last = replies.at(-1);
  if (last === undefined) throw new Error("nothing was sent");
  return last;
}

/** The names of the fields in `details`, without the values. */
const shape = (details: unknown): unknown =>
  Array.isArray(details) ? [shape(details[0])] : details && Object.keys(details).sort();

for (const [code, provocation] of Object.entries(PROVOKED) as [ExplainedCode, Provocation][]) {
  test(`${code} is sent over HTTP with its status, message, envelope and details`, async (t) => {
    const reply = await provoke(t, provocation);
    const error = errorOf(reply);
    t.deepEqual([reply.status, error.code, error.message], [ERRORS[code].http, code, ERRORS[code].text.pt]);
    t.deepEqual(shape(error.details), shape(describedDetails().get(code)));
  });
}

test("the tests above provoke exactly the codes of the API's description", (t) => {
  t.deepEqual(Object.keys(PROVOKED).sort(), [...describedDetails().keys()].sort());
});
