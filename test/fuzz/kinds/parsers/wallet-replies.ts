import { readReply } from "../../../../src/adapters/wallet-http/reply.ts";
import { amountMax, CURRENCIES, type Currency } from "../../../../src/domain/values/money.ts";
import type { SeededRandom } from "../../../../testbed/seeded-random.ts";
import type { Kind } from "../../kind.ts";
import { mutateBytes, mutateFields } from "../../mutate.ts";

export interface WalletBytes {
  readonly status: number;
  readonly body: Uint8Array;
  readonly currency: Currency;
}

const ERRORS = [
  "INSUFFICIENT_FUNDS",
  "player_blocked",
  "TRANSACTION_NOT_FOUND",
  "ﬁ".repeat(64),
  "a\u0000b",
  "😀".repeat(70),
];

export const walletBytes = (random: SeededRandom): WalletBytes => {
  const accepted = random.chance(0.5);
  const fields = accepted
    ? { ok: true, balance: random.pick([0, 1.15, 2.5, -5, 10.129, 1e15, 123_456.78]) }
    : { ok: false, error: random.pick(ERRORS) };
  const status = random.pick([200, 200, 200, 201, 302, 400, 401, 404, 429, 499, 500, 503]);
  return { status, body: Buffer.from(JSON.stringify(fields)), currency: random.pick(CURRENCIES) };
};

export const mutateWalletBytes = (random: SeededRandom, { status, body, currency }: WalletBytes): WalletBytes => {
  if (random.chance(0.1)) return { body, currency, status: random.int(100, 599) };
  const fields = parsed(Buffer.from(body).toString());
  const isObject = typeof fields === "object" && fields !== null && !Array.isArray(fields);
  if (isObject && random.chance(0.5))
    return {
      status,
      currency,
      body: Buffer.from(JSON.stringify(mutateFields(random, fields as Record<string, unknown>))),
    };
  return { status, currency, body: mutateBytes(random, body) };
};

/**
 * Bytes of a wallet's reply: the outcome (accepted, rejected or silent) must be the same as that of a second
 * implementation of the rules.
 */
export const walletReplies: Kind<WalletBytes> = {
  name: "wallet-replies",
  reader: "wallet-http/reply",
  perMillion: 80_000,
  generate: walletBytes,
  mutate: mutateWalletBytes,
  check: ({ status, body, currency }) => {
    const { answer, result } = readReply(status, Buffer.from(body), currency);
    const expected = meaning(status, Buffer.from(body).toString());
    const faults = answer.kind === expected ? [] : [`is ${expected}, was taken for ${answer.kind} (${result})`];
    if (answer.kind === "rejected" && !isErrorCode(answer.error))
      faults.push(`the code ${JSON.stringify(answer.error)}`);
    // The balance must not be larger than the largest value of the column.
    if (
      answer.kind === "accepted" &&
      answer.balanceMinor !== null &&
      Math.abs(Number(answer.balanceMinor)) > 1_000 * Number(amountMax(currency) + 1n)
    )
      faults.push(`the balance ${answer.balanceMinor}`);
    return faults;
  },
};

function meaning(status: number, text: string): "accepted" | "rejected" | "silent" {
  if (status >= 500) return "silent";
  const value = parsed(text.replace(/^\ufeff/, "")) as
    | { readonly ok?: unknown; readonly balance?: unknown }
    | null
    | undefined;
  if (value?.ok === false) return "rejected";
  return value?.ok === true && Number.isFinite(value.balance) ? "accepted" : "silent";
}

export const isErrorCode = (code: string): boolean =>
  code !== "" &&
  [...code].length <= 64 &&
  Buffer.byteLength(code) <= 255 &&
  !/\p{Cc}/u.test(code) &&
  code.isWellFormed();

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
