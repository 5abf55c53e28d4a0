/** A real service with a history, for client programs in other languages. */
import type { ExecutionContext } from "ava";
import { startWorld } from "./world.ts";

export const MERCHANT = "shop-brl";

/** The fields of a transaction that tests compare. `amount` is a decimal number as text, with two decimals. */
export type Row = {
  readonly tx_id: string;
  readonly action: string;
  readonly status: string;
  readonly amount: string;
};

interface Page {
  readonly items: readonly (Omit<Row, "amount"> & { readonly amount: number })[];
  readonly next_cursor: string | null;
}

const WAIT_MS = 100;

/** The service, with the merchant {@link MERCHANT}, the player `ana` and the game ACME/fruits. Nobody has played yet. */
export async function startService(t: ExecutionContext) {
  const world = await startWorld(t);
  const sessionId = await world.session(MERCHANT);
  let rounds = 0;
  let transactions = 0;

  const data = async <T>(target: string): Promise<T> => {
    const reply = await world.rest("GET", target, undefined, MERCHANT);
    if (!reply.ok) throw new Error(`${target}: ${reply.code}`);
    return reply.data as T;
  };
  const rows = ({ items }: Page): Row[] =>
    items.map(({ tx_id, action, status, amount }) => ({ tx_id, action, status, amount: amount.toFixed(2) }));
  const changes = async (): Promise<Row[]> =>
    rows(await data<Page>("/v1/transactions?updated_since=2026-01-01T00:00:00Z&limit=1000"));

  return {
    origin: world.first.origin,
    secret: world.secrets.get(MERCHANT) ?? "",
    /** The `data` of a signed GET. */
    data,
    /** All transactions, the newest first. */
    listing: async () => rows(await data<Page>("/v1/transactions?limit=1000")),
    /** The whole feed. */
    changes,
    /** Plays two rounds that end, one after the other, with a tip and a win of a jackpot. */
    async endRounds(): Promise<void> {
      const move = (action: "bet" | "win", txId: string, roundId: string, amountMinor: bigint, kind: string) =>
        world.request(action, { sessionId, txId, roundId, amountMinor, kind, roundEnded: true });
      const statuses = [await move("bet", "tip", "ended 1", 200n, "tip")];
      statuses.push(await move("win", "jackpot", "ended 2", 350n, "jackpot"));
      if (statuses.some((status) => status !== "success")) throw new Error(statuses.join(", "));
    },
    /**
     * Plays this many rounds: bets, wins, refunds, rollbacks, rejected bets. Ids have letters that a path must escape.
     * Resolves when the feed has all these transactions.
     */
    async play(count: number): Promise<void> {
      const request = async (
        action: "bet" | "win" | "refund" | "rollback",
        id: string,
        amount: number,
        ref?: string,
      ) => {
        const fields = { txId: id, roundId: `round/${rounds} ã+`, amountMinor: BigInt(amount), sessionId };
        const status = await world.request(action, ref === undefined ? fields : { ...fields, refTxId: ref });
        transactions += 1;
        return status;
      };
      for (const last = rounds + count; rounds < last; rounds++) {
        const own = `${rounds}/ã+`;
        const statuses = [await request("bet", `b${own}`, rounds % 4 === 0 ? 10 : 1 + rounds)];
        if (rounds % 5 === 0)
          statuses.push(await request("refund", `f${own}`, rounds % 4 === 0 ? 10 : 1 + rounds, `b${own}`));
        else if (rounds % 2 === 0) statuses.push(await request("win", `w${own}`, 200 + rounds));
        if (rounds % 6 === 2 && statuses.length === 2 && rounds % 5 !== 0)
          statuses.push(await request("rollback", `r${own}`, 200 + rounds, `w${own}`));
        if (statuses.some((status) => status !== "success")) throw new Error(`round ${rounds}: ${statuses.join(", ")}`);
        if (rounds % 7 === 3) {
          const rejected = await request("bet", `x${own}`, 99_999_999);
          if (rejected !== "failed:INSUFFICIENT_FUNDS") throw new Error(`round ${rounds}: ${rejected}`);
        }
      }
      while ((await changes()).length < transactions) await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    },
  };
}
