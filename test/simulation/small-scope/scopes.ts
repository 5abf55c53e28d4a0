import type { TransactionRequest } from "../../../src/domain/transaction/transaction.ts";
import { type Asked, BET, refund, rollback, type Scope, type WalletChoice, winOf } from "./scope.ts";

const ANY: readonly WalletChoice[] = ["ok", "rejects", "lost", "silent", "late"];

const move = (content: TransactionRequest): Asked => ({ as: "move", content });
const REQUESTS = {
  bet: move(BET),
  "bet again": move(BET),
  settlement: move(winOf("w", true)),
  "settlement again": move(winOf("w", true)),
  "second settlement": move(winOf("v", true)),
  "other win": move(winOf("u", false)),
  "careful refund": move(refund("f", true)),
  "plain refund": move(refund("g", false)),
  "careful Reverse": { as: "reverse", content: refund("r", true) },
  "plain Reverse": { as: "reverse", content: refund("q", false) },
  "rollback of the settlement": move(rollback("k", "w")),
  play: { as: "play", content: { ...BET, win: winOf("w", true) } },
  "play again": { as: "play", content: { ...BET, win: winOf("w", true) } },
} as const satisfies Readonly<Record<string, Asked>>;
type Name = keyof typeof REQUESTS;

const scope = (
  names: readonly Name[],
  isTaken: boolean,
  wallet: readonly WalletChoice[],
  more: Pick<Scope, "death"> = {},
): Scope => ({
  ...more,
  name: `${names.join(", ")}${isTaken ? " of a bet that was taken" : ""}; the wallet: ${wallet.join(", ")}${more.death ? "; a process dies" : ""}`,
  requests: names.map((name) => REQUESTS[name]),
  before: isTaken ? [BET] : [],
  wallet,
});

export interface Case {
  readonly scope: Scope;
  /** All ends of {@link endOf} that can be reached. */
  readonly ends: readonly string[];
}

const RETURNED = "stake returned";
const KEPT = "stake kept";
const SETTLED = "stake kept, settled";
const NONE = "no stake";

const DEATH = { death: true } as const;

/** The scopes of `npm test`. Together they have every pair of requests that may cross at the bet's row. */
export const CASES: readonly Case[] = [
  { scope: scope(["settlement", "careful refund"], true, ANY), ends: [SETTLED, RETURNED] },
  { scope: scope(["settlement", "careful Reverse"], true, ANY), ends: [SETTLED, RETURNED] },
  { scope: scope(["settlement", "second settlement"], true, ANY), ends: [SETTLED] },
  {
    scope: scope(["settlement", "settlement again", "careful refund"], true, ["ok"]),
    ends: [SETTLED, RETURNED],
  },
  {
    scope: scope(["settlement", "second settlement", "careful Reverse"], true, ["ok"]),
    ends: [SETTLED, RETURNED],
  },
  { scope: scope(["other win", "careful refund"], true, ANY), ends: [RETURNED] },
  { scope: scope(["settlement", "plain refund"], true, ANY), ends: [RETURNED, "stake returned, settled"] },
  { scope: scope(["careful refund", "plain Reverse"], true, ANY), ends: [RETURNED] },
  {
    scope: scope(["settlement", "rollback of the settlement"], true, ["ok", "rejects", "silent"]),
    ends: [KEPT, SETTLED],
  },
  { scope: scope(["bet", "settlement"], false, ANY), ends: [NONE, SETTLED] },
  { scope: scope(["bet", "careful Reverse"], false, ANY), ends: [NONE, RETURNED, "marked"] },
  { scope: scope(["bet", "settlement", "careful refund"], false, ["ok", "rejects"]), ends: [NONE, SETTLED, RETURNED] },
  { scope: scope(["bet", "bet again", "careful Reverse"], false, ["ok"]), ends: [RETURNED, "marked"] },
  {
    scope: scope(["play", "careful Reverse"], false, ["ok", "rejects", "lost"]),
    ends: [NONE, SETTLED, RETURNED, "marked"],
  },
  { scope: scope(["play"], false, ANY, DEATH), ends: [NONE, SETTLED] },
  { scope: scope(["settlement", "careful refund"], true, ["ok", "silent"], DEATH), ends: [SETTLED, RETURNED] },
  { scope: scope(["play", "careful Reverse"], false, ["ok"], DEATH), ends: [NONE, SETTLED, RETURNED, "marked"] },
  { scope: scope(["settlement", "careful Reverse"], true, ["ok", "late"], DEATH), ends: [SETTLED, RETURNED] },
  { scope: scope(["bet", "careful Reverse"], false, ["ok", "lost"], DEATH), ends: [NONE, RETURNED, "marked"] },
  { scope: scope(["play", "careful refund"], false, ["ok", "silent"]), ends: [NONE, SETTLED, RETURNED] },
  { scope: scope(["play", "second settlement"], false, ["ok", "rejects"]), ends: [NONE, SETTLED] },
  { scope: scope(["play", "play again"], false, ["ok", "lost"]), ends: [SETTLED] },
];

/** The further scopes of `npm run simulate -- --scopes`: every set of three requests, with few answers of the wallet. */
export function furtherScopes(): Scope[] {
  const names = Object.keys(REQUESTS) as Name[];
  return names.flatMap((one, i) =>
    names.slice(i + 1).flatMap((two, j) =>
      names.slice(i + j + 2).flatMap((three) => {
        const all = [one, two, three];
        const isFirst = all.some((name) => ["bet", "play"].includes(name));
        return isFirst ? [scope(all, false, ["ok", "lost"])] : [scope(all, true, ["ok", "lost"])];
      }),
    ),
  );
}
