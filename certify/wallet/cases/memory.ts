/**
 * A wallet must remember each transaction for weeks. So the run's first transactions come back at its end: after more
 * than a thousand others, and again after a pause. `--resume` sends those of an earlier run.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { NotTried } from "../../report/ending.ts";
import type { Account, Callback, Fields } from "../calls/callback.ts";
import { decimal, readAmount } from "../calls/money.ts";
import type { Exchange } from "../calls/wallet.ts";
import type { Case, Category } from "../case.ts";
import { accepted, type Expectation, rejected, sameAs } from "../expectation.ts";
import type { Trial } from "../trial.ts";

/** Caches of recent transactions often hold 1 000. */
const OTHERS_MIN = 1_100;
const AT_ONCE = 25;

const FIX =
  "Keep every tx_id with its reply, every kept rejection and every tombstone in the database, in the transaction that moves the money. A cache, an expiry time or a limit on their number forgets them, and the next repeat moves money again.";

/** A transaction of the run's beginning, and the answer that it must get for ever. */
export interface Keepsake {
  readonly callback: Callback;
  /** The balance of the stored reply in minor units; null: it was rejected for good. */
  readonly balance: bigint | null;
}

/** The transactions of one run's beginning. `saved`: those of an earlier run. */
export class Memory {
  #own: readonly Keepsake[] | undefined;
  /** When the run's own transactions were sent last, by `performance.now()`. */
  #sentAt = 0;
  /** The distances that the wallet has shown, in words. */
  readonly shown: string[] = [];

  get own(): readonly Keepsake[] {
    return this.#own ?? [];
  }

  async begin(it: Trial): Promise<readonly Keepsake[]> {
    this.#own ??= await keepsakes(it);
    this.#sentAt = performance.now();
    return this.#own;
  }

  /** Sends all of them again. Each must get its stored answer, and no money may move. */
  async compare(it: Trial, kept: readonly Keepsake[], distance: string): Promise<void> {
    const query = queryOf(kept);
    const { reply } = await it.accepts(query);
    for (const { callback, balance } of kept) {
      const exchange = await it.send(callback);
      it.expect(exchange, storedAnswer(balance), `what came for the first time ${distance}`);
    }
    it.expect(await it.send(query), sameAs(reply), `the balance: only repeats came, of what came ${distance}`);
    this.#sentAt = performance.now();
    this.shown.push(distance);
  }

  async waitSinceLastSent(ms: number): Promise<void> {
    await sleep(Math.max(0, this.#sentAt + ms - performance.now()));
  }
}

/** A balance query of the player of these transactions. */
function queryOf([first]: readonly Keepsake[]): Callback {
  if (first === undefined) throw new Error("no transactions were kept");
  const { account, fields } = first.callback;
  const { player_id, currency, provider, game } = fields;
  return { account, fields: { action: "balance", player_id, currency, provider, game } };
}

const storedAnswer = (balance: bigint | null): Expectation =>
  balance === null
    ? rejected()
    : { ...accepted(balance), sentence: (money) => `the stored reply: \`ok\` true, and the balance ${money(balance)}` };

/** One transaction of each kind of answer that a wallet must keep. */
async function keepsakes(it: Trial): Promise<readonly Keepsake[]> {
  const { player } = it;
  const before = await it.fund(player, 1_000n);
  const kept: Keepsake[] = [];
  const keep = ({ callback, reply: { meaning } }: Exchange): Callback => {
    kept.push({ callback, balance: meaning.kind === "accepted" ? meaning.balance : null });
    return callback;
  };
  const bet = keep(await it.accepts(player.bet(250n)));
  keep(await it.accepts(player.refund(bet)));
  const win = keep(await it.accepts(player.win(500n)));
  keep(await it.accepts(player.rollback(win)));
  keep(await it.accepts(player.bet(100n)));
  keep(await it.accepts(player.win(100n)));
  keep(await it.rejects(player.bet(before + 100n)));
  for (const overtaken of [player.bet(250n), player.win(250n)]) {
    await it.rejects(overtaken.fields.action === "bet" ? player.refund(overtaken) : player.rollback(overtaken));
    keep(await it.rejects(overtaken));
  }
  // The rejected bet must stay rejected although the player could pay for it now.
  await it.accepts(player.win(before + 100n));
  return kept;
}

/** Further transactions, until a wallet with a short list of transactions has forgotten the first ones. */
async function othersCome(it: Trial): Promise<number> {
  const { code } = it.player.account;
  const own = it.earlier.filter(({ callback }) => callback.account.code === code);
  const ids = new Set(own.flatMap(({ callback: { fields } }) => fields.tx_id ?? []));
  while (ids.size < OTHERS_MIN) {
    const wins = Array.from({ length: AT_ONCE }, () => it.player.win(25n));
    it.expectAll(await it.atOnce(wins), accepted());
    for (const { fields } of wins) ids.add(fields.tx_id ?? "");
  }
  return ids.size;
}

/** `pauseMs`: how long the wallet must remember, at least; 0: the run does not wait. */
export function memoryOf(memory: Memory, pauseMs: number, resumed?: readonly Keepsake[]): Category {
  const shared = { rule: "contract-once", fix: FIX } as const;
  const cases: Case[] = [
    {
      ...shared,
      id: "first",
      order: "first",
      title: "The run begins with transactions that come back later, and each of them gets its answer",
      async run(it) {
        await memory.begin(it);
      },
    },
    {
      ...shared,
      id: "after-many",
      order: "last",
      title: `The run's first transactions still have their answers after more than ${OTHERS_MIN} others`,
      async run(it) {
        const kept = await memory.begin(it);
        await memory.compare(it, kept, `before ${await othersCome(it)} other transactions`);
      },
    },
    {
      ...shared,
      id: "after-pause",
      order: "last",
      title: `The run's first transactions still have their answers after ${pauseMs / 1_000} s`,
      async run(it) {
        if (pauseMs === 0) throw new NotTried("--pause 0 leaves it out.", true);
        if (it.hasFailed) throw new NotTried("Another case failed, so the run did not wait.", true);
        const kept = await memory.begin(it);
        it.waits(pauseMs);
        await memory.waitSinceLastSent(pauseMs);
        await memory.compare(it, kept, `${pauseMs / 1_000} s before`);
      },
    },
  ];
  if (resumed !== undefined)
    cases.unshift({
      ...shared,
      id: "resumed",
      order: "first",
      title: "The first transactions of an earlier run still have their answers",
      run: (it) => memory.compare(it, resumed, "in an earlier run"),
    });
  return { id: "memory", title: "Memory", cases };
}

/** A keepsake in the JSON report. It has no secret. */
export const savedKeepsake = ({ callback: { account, fields }, balance }: Keepsake) => ({
  ...fields,
  amount: decimal(fields.amount ?? 0n, account.currency),
  balance: balance === null ? null : decimal(balance, account.currency),
});

/**
 * The keepsakes of an earlier run's JSON report.
 *
 * @throws Error with the fault
 */
export function readKeepsakes(report: unknown, account: Account): readonly Keepsake[] {
  const { merchant, currency, memory } = (report ?? {}) as {
    readonly merchant?: unknown;
    readonly currency?: unknown;
    readonly memory?: unknown;
  };
  if (!Array.isArray(memory) || memory.length === 0)
    throw new Error("this is no JSON report of a run with the category memory; make one with --json");
  if (merchant !== account.code || currency !== account.currency)
    throw new Error(`it is a report of the merchant ${merchant}, ${currency}`);
  const money = (text: unknown): bigint => {
    const read = readAmount(String(text), account.currency);
    if (read === undefined) throw new Error(`${text} is no amount`);
    return read.minor;
  };
  return memory.map(({ balance, ...fields }: Record<string, unknown>) => ({
    callback: { account, fields: { ...fields, amount: money(fields.amount) } as Fields },
    balance: balance === null ? null : money(balance),
  }));
}
