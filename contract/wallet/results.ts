/**
 * How a call of a merchant's wallet ends: the two answers, and every cause of silence. `src/adapters/wallet-http/` finds
 * the ending. Everything else reads this table or is generated out of it.
 */

interface Result {
  /** The ending for merchants, in the API's description and in the protos. Markdown. */
  readonly meaning: string;
  /** The row of docs/specification/wallet-calls.md. Markdown. */
  readonly rule: string;
  /** The group in which the console counts the call. */
  readonly group: "accepted" | "rejected" | "timeout" | "http_5xx" | "unreadable" | "unreachable";
  /** What a ping says of a complete reply with this cause, after the status and before the reply's first bytes. */
  readonly ping?: string;
}

export const ANSWERS = {
  accepted: {
    meaning: "the reply had `ok` true and a balance",
    rule: "status below 500, JSON object, `ok` is `true`, `balance` a finite number",
    group: "accepted",
  },
  rejected: {
    meaning: "the reply had `ok` false",
    rule: "status below 500, JSON object, `ok` is `false`",
    group: "rejected",
  },
} as const satisfies Record<string, Result>;

export const SILENCES = {
  timeout: {
    meaning: "no complete reply came in time",
    rule: "nothing complete within the deadline",
    group: "timeout",
  },
  connect: {
    meaning: "the connection was refused or reset, or the reply was broken",
    rule: "no address, no connection, reset, broken reply",
    group: "unreachable",
  },
  tls: { meaning: "the certificate or the handshake failed", rule: "TLS failed", group: "unreachable" },
  http_5xx: {
    meaning: "the status was 500 to 599",
    rule: "status 500 or above, whatever the body",
    group: "http_5xx",
  },
  not_json: {
    meaning: "the body was not JSON",
    rule: "not JSON: empty, HTML, cut off",
    group: "unreadable",
    ping: "but not JSON",
  },
  no_ok: {
    meaning: "the body had no boolean `ok`",
    rule: 'JSON that is not an object, or has no boolean `ok` (`"true"` and 1 are not booleans)',
    group: "unreadable",
    ping: 'and JSON, but without a boolean "ok"',
  },
  no_balance: {
    meaning: "the body had `ok` true but no numeric balance",
    rule: "`ok` is true, `balance` missing, null, text or infinite (`1e400`)",
    group: "unreadable",
    ping: 'and "ok" is true, but without a number "balance"',
  },
  too_large: { meaning: "the reply was over 64 KiB", rule: "body over 64 KiB", group: "unreadable" },
} as const satisfies Record<string, Result>;

export type SilenceCause = keyof typeof SILENCES;
/** How a wallet call ended: the answer, or the cause of its silence. */
export type AttemptResult = keyof typeof ANSWERS | SilenceCause;

/** Every ending with its row, in the order of the table. */
export const RESULTS: Readonly<Record<AttemptResult, Result>> = { ...ANSWERS, ...SILENCES };
