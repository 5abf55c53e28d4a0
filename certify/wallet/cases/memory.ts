/**
 * A wallet must remember each transaction for weeks. So the run's first transactions come back at its end: after more
 * than a thousand others, and again after a pause. So do first arrivals that are about them, such as a late refund.
 * `--resume` sends those of an earlier run.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { NotTried } from "../../report/ending.ts";
import type { Account, Callback, Fields } from "../calls/callback.ts";
import { decimal, readAmount } from "../calls/money.ts";
import type { Player } from "../calls/player.ts";
import type { Exchange } from "../calls/wallet.ts";
import type { Case, Category } from "../case.ts";
import { accepted, type Expectation, rejected, sameAs } from "../expectation.ts";
import { differs, inWords, type Trial } from "../trial.ts";

/** Caches of recent transactions often hold 1 000, also for each player. */
const OTHERS_MIN = 1_100;
/** As many reversals, rejections and tombstones come, for wallets that keep short lists of them. */
const OF_EACH_KIND = 300;
const AT_ONCE = 25;

const FIX =
  "Keep every tx_id with its reply, every kept rejection and every tombstone in the database, in the transaction that moves the money. A cache, an expiry time or a limit on their number forgets them, and the next repeat moves money again.";
const FIX_OF_LATE =
  "A win, refund or rollback may come days after its bet or win. Keep every applied transaction, whether it was reversed, and its round without a time limit.";

/** A transaction of the run's beginning, and the answer that it must get for ever. */
export interface Keepsake {
  readonly callback: Callback;
  /** The balance of the stored reply in minor units; null: it was rejected for good. */
  readonly balance: bigint | null;
}

export interface Kept {
  readonly sent: readonly Keepsake[];
  /** Callbacks that come late for the first time, for what was sent at the beginning. Together they move no money. */
  readonly late: readonly Callback[];
}

export const NOTHING_KEPT: Kept = { sent: [], late: [] };

/** The transactions of one run's beginning. `saved`: those of an earlier run. */
export class Memory {
  #own: readonly Keepsake[] | undefined;
  /** Late callbacks for each comparison: after many others, after the pause, and in a later run. */
  #late: (readonly Callback[])[] = [];
  /** When the run's own transactions were sent last, by `performance.now()`. */
  #sentAt = 0;
  /** The distances that the wallet has shown, in words. */
  readonly shown: string[] = [];

  /** What a later run sends again. */
  get saved(): Kept {
    return { sent: this.#own ?? [], late: this.#late.at(-1) ?? [] };
  }

  /** `at`: the number of the comparison, from 0. */
  async begin(it: Trial, at: 0 | 1): Promise<Kept> {
    if (this.#own === undefined) {
      this.#late = [await lateCallbacks(it), await lateCallbacks(it), await lateCallbacks(it)];
      this.#own = await keepsakes(it);
    }
    this.#sentAt = performance.now();
    return { sent: this.#own, late: this.#late[at] ?? [] };
  }

  /** Sends all of them again. Each must get its stored answer, and no money may move. */
  async compare(it: Trial, { sent, late }: Kept, distance: string): Promise<void> {
    const player = playerOf(it, sent);
    // A rejected bet must stay rejected although the player could pay for it now.
    await it.fund(
      player,
      sent.reduce((most, { callback: { fields } }) => max(most, fields.amount ?? 0n), 1_000n),
    );
    const query = player.query();
    const { reply } = await it.accepts(query);
    for (const callback of late) {
      const exchange = await it.send(callback);
      if (exchange.reply.meaning.kind !== "accepted")
        throw differs(`\`ok\` true: what it is about came ${distance}`, exchange, inWords(exchange), FIX_OF_LATE);
    }
    for (const { callback, balance } of sent) {
      const exchange = await it.send(callback);
      it.expect(exchange, storedAnswer(balance), `what came for the first time ${distance}`);
    }
    for (const reversed of reversedOf(sent)) {
      const { fields } = reversed;
      const exchange = await it.send(fields.action === "bet" ? player.refund(reversed) : player.rollback(reversed));
      if (exchange.reply.meaning.kind !== "rejected")
        throw differs(`\`ok\` false: it was reversed ${distance}`, exchange, inWords(exchange), FIX_OF_LATE);
    }
    it.expect(await it.send(query), sameAs(reply), `the balance: only repeats came, of what came ${distance}`);
    this.#sentAt = performance.now();
    this.shown.push(distance);
  }

  async waitSinceLastSent(ms: number): Promise<void> {
    await sleep(Math.max(0, this.#sentAt + ms - performance.now()));
  }
}

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);

function playerOf(it: Trial, [first]: readonly Keepsake[]): Player {
  if (first === undefined) throw new Error("no transactions were kept");
  return it.player.named(first.callback.fields.player_id);
}

/** The applied transactions whose reversal was applied, too. */
function reversedOf(sent: readonly Keepsake[]): Callback[] {
  const applied = sent.filter(({ balance }) => balance !== null).map(({ callback }) => callback);
  const references = new Set(applied.map(({ fields }) => fields.ref_tx_id));
  return applied.filter(({ fields }) => references.has(fields.tx_id));
}

const storedAnswer = (balance: bigint | null): Expectation =>
  balance === null
    ? rejected()
    : { ...accepted(balance), sentence: (money) => `the stored reply: \`ok\` true, and the balance ${money(balance)}` };

/** A bet and a win come now. Their reversals come late, as well as a win of the bet's round, and its rollback. */
async function lateCallbacks(it: Trial): Promise<readonly Callback[]> {
  const { player } = it;
  await it.fund(player, 1_000n);
  const [bet, win] = [player.bet(100n), player.win(100n)];
  for (const callback of [bet, win]) await it.accepts(callback);
  const lateWin = player.win(100n, { round_id: bet.fields.round_id ?? "" });
  return [lateWin, player.rollback(lateWin), player.refund(bet), player.rollback(win)];
}

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
  return kept;
}

/**
 * Further transactions of this player, until a wallet with a short list has forgotten the first ones. Returns the number
 * of the player's applied transactions.
 */
async function othersCome(it: Trial, player: Player): Promise<number> {
  const { code } = player.account;
  const ids = new Set(
    it.earlier.flatMap(({ callback: { account, fields }, reply: { meaning } }) =>
      account.code === code && fields.player_id === player.id && meaning.kind === "accepted"
        ? (fields.tx_id ?? [])
        : [],
    ),
  );
  const send = async (callbacks: readonly Callback[], expectation: Expectation): Promise<void> => {
    for (let from = 0; from < callbacks.length; from += AT_ONCE)
      it.expectAll(await it.settledAtOnce(callbacks.slice(from, from + AT_ONCE)), expectation);
  };
  const some = (make: () => Callback, count = OF_EACH_KIND): Callback[] => Array.from({ length: count }, make);
  const balance = await it.fund(player, BigInt(OF_EACH_KIND) * 25n);
  await send(
    some(() => player.bet(balance + 100n)),
    rejected(),
  );
  await send(
    some(() => player.refund(player.bet(25n))),
    rejected(),
  );
  const bets = some(() => player.bet(25n));
  const refunds = bets.map((bet) => player.refund(bet));
  const wins = some(() => player.win(25n), Math.max(0, OTHERS_MIN - ids.size - 2 * OF_EACH_KIND));
  for (const callbacks of [bets, refunds, wins]) await send(callbacks, accepted());
  return ids.size + bets.length + refunds.length + wins.length;
}

/** `pauseMs`: how long the wallet must remember, at least; 0: the run does not wait. */
export function memoryOf(memory: Memory, pauseMs: number, resumed?: Kept): Category {
  const shared = { rule: "contract-once", fix: FIX } as const;
  const cases: Case[] = [
    {
      ...shared,
      id: "first",
      order: "first",
      title: "The run begins with transactions that come back later, and each of them gets its answer",
      async run(it) {
        await memory.begin(it, 0);
      },
    },
    {
      ...shared,
      id: "after-many",
      order: "last",
      title: `The run's first transactions still have their answers after more than ${OTHERS_MIN} others`,
      async run(it) {
        const kept = await memory.begin(it, 0);
        const others = await othersCome(it, playerOf(it, kept.sent));
        await memory.compare(it, kept, `before ${others} other transactions of the player`);
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
        const kept = await memory.begin(it, 1);
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

/** What the JSON report keeps for a later run. It has no secret. */
export const savedMemory = ({ sent, late }: Kept) => ({
  memory: sent.map(({ callback, balance }) => ({
    ...savedCallback(callback),
    balance: balance === null ? null : decimal(balance, callback.account.currency),
  })),
  memory_late: late.map(savedCallback),
});

const savedCallback = ({ account, fields }: Callback) => ({
  ...fields,
  amount: decimal(fields.amount ?? 0n, account.currency),
});

/**
 * The kept transactions of an earlier run's JSON report.
 *
 * @throws Error with the fault
 */
export function readMemory(report: unknown, account: Account): Kept {
  const { merchant, currency, memory, memory_late = [] } = (report ?? {}) as Readonly<Record<string, unknown>>;
  if (!Array.isArray(memory) || memory.length === 0 || !Array.isArray(memory_late))
    throw new Error("this is no JSON report of a run with the category memory; make one with --json");
  if (merchant !== account.code || currency !== account.currency)
    throw new Error(`it is a report of the merchant ${merchant}, ${currency}`);
  const money = (text: unknown): bigint => {
    const read = readAmount(String(text), account.currency);
    if (read === undefined) throw new Error(`${text} is no amount`);
    return read.minor;
  };
  const callback = (fields: Record<string, unknown>): Callback => ({
    account,
    fields: { ...fields, amount: money(fields.amount) } as Fields,
  });
  return {
    sent: memory.map(({ balance, ...fields }: Record<string, unknown>) => ({
      callback: callback(fields),
      balance: balance === null ? null : money(balance),
    })),
    late: memory_late.map(callback),
  };
}
