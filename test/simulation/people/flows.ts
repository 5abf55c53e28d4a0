/** The flows of providers: a transaction and its reversals, in the right order and in wrong orders. */

import type { Content, TransactionRequest } from "../../../src/domain/transaction/transaction.ts";
import { ownTxId, wireTxId } from "../../../src/domain/values/identifiers.ts";
import { GAMES, MERCHANTS, PLAYERS, PROVIDER } from "../world/world-fixture.ts";
import type { ProviderDriver } from "./provider-driver.ts";
import type { Support } from "./support.ts";

export interface FlowOptions {
  readonly support: Support;
  readonly quietPeriodMs: number;
  /** All flows of the run begin within this time. */
  readonly windowMs: number;
}

interface Cast {
  readonly original: Content;
  /** Two reversals with different ids. Providers send the first, the second, or both. */
  readonly reversals: readonly [Content, Content];
}

/** Starts `count` flows. Resolves when the last flow has ended. */
export async function playFlows(driver: ProviderDriver, count: number, options: FlowOptions): Promise<void> {
  const { random } = driver;
  const flows = Array.from({ length: count }, async (_, i) => {
    await driver.sleep(random.int(0, options.windowMs));
    const merchant = random.int(0, MERCHANTS.length - 1);
    const cast = castOf(driver, i, merchant);
    const play = random.pick(FLOWS);
    // With the other merchant, the same id is another transaction.
    const twin = random.chance(0.3) ? [castOf(driver, i, 1 - merchant)] : [];
    await Promise.all([cast, ...twin].map((one) => play(driver, one, options)));
  });
  await Promise.all(flows);
}

function castOf({ random }: ProviderDriver, i: number, merchantIndex: number): Cast {
  const merchant = MERCHANTS[merchantIndex];
  const { id: merchantId, currency } = merchant ?? MERCHANTS[0];
  const game = random.pick(GAMES);
  const action = random.chance(0.6) ? "bet" : "win";
  const original: Content = {
    merchantId,
    txId: wireTxId(PROVIDER.code, `t${i}`),
    action,
    playerId: random.pick(PLAYERS) as Content["playerId"],
    roundId: `round ${i >> 1}`,
    amountMinor: BigInt(random.int(1, 40)) * 25n,
    currency,
    game: { id: game.id, code: game.code, providerId: PROVIDER.id, provider: PROVIDER.code },
    refTxId: null,
  };
  const reversal = (own: string): Content => ({
    ...original,
    txId: wireTxId(PROVIDER.code, own),
    action: action === "bet" ? "refund" : "rollback",
    refTxId: original.txId,
  });
  return { original, reversals: [reversal(`r${i}`), reversal(`s${i}`)] };
}

type Flow = (driver: ProviderDriver, cast: Cast, options: FlowOptions) => Promise<void>;

const REPEATABLE: ReadonlySet<string> = new Set(["OVERLOADED", "SERVICE_UNAVAILABLE", "BET_PENDING"]);

/** Repeats until the answer is final, or the number of tries is used up. */
async function repeatUntilFinal(
  driver: ProviderDriver,
  content: TransactionRequest,
  times: number,
  pauseMs: number,
): Promise<"success" | "failed" | "refused" | "open"> {
  for (let i = 0; i < times; i++) {
    const outcome = await driver.request(content);
    if (outcome.kind === "ok" && outcome.status !== "pending") return outcome.status;
    if (outcome.kind === "refused" && !REPEATABLE.has(outcome.code)) return "refused";
    await driver.sleep(driver.random.int(100, pauseMs));
  }
  return "open";
}

/**
 * Follows the documentation: repeats or reverses an open transaction, sends a win before its bet, and repeats a
 * rejected win.
 */
const honest: Flow = async (driver, { original, reversals: [reversal, second] }) => {
  const { random } = driver;
  const result = await repeatUntilFinal(driver, original, random.int(1, 3), 3_000);
  if (result === "failed" && original.action === "win") await repeatUntilFinal(driver, original, 2, 8_000);
  const takesBack = result === "open" ? random.chance(0.8) : random.chance(0.25);
  if (takesBack) {
    await driver.sleep(random.pick([0, 50, 2_000, 10_000]));
    const back = await repeatUntilFinal(driver, reversal, random.int(1, 4), 6_000);
    if (back === "failed" && random.chance(0.6)) await repeatUntilFinal(driver, reversal, 3, 20_000);
    if (random.chance(0.2)) await repeatUntilFinal(driver, second, 2, 2_000);
  }
  if (random.chance(0.3)) await repeatUntilFinal(driver, original, 2, 4_000);
};

/** The original, its reversals, repeats and mistakes, at any time and in any order. */
const soup: Flow = async (driver, cast, options) => {
  const { random } = driver;
  const spread = random.pick([200, 3_000, 20_000, 20_000 + options.quietPeriodMs]);
  const requests = Array.from({ length: random.int(3, 9) }, async () => {
    await driver.sleep(random.int(0, spread));
    const content = random.pick([cast.original, cast.original, ...cast.reversals, cast.reversals[0]]);
    await driver.request(random.chance(0.15) ? mistaken(driver, content) : content);
  });
  await Promise.all(requests);
};

/** The provider sends the reversal before its original, or sends no original. */
const reversalFirst: Flow = async (driver, { original, reversals: [reversal, second] }) => {
  const { random } = driver;
  const late = random.chance(0.7);
  const back = repeatUntilFinal(driver, reversal, random.int(1, 3), 5_000);
  await driver.sleep(random.pick([0, 5, 30, 300, 15_000]));
  if (late) await driver.request(original);
  if (random.chance(0.3)) await driver.request(second);
  await back;
  if (late && random.chance(0.5)) await driver.request(original);
};

/** Copies of all requests at the same time, on all replicas. */
const storm: Flow = async (driver, { original, reversals: [reversal, second] }) => {
  const { random } = driver;
  const copies = (content: Content) => Array.from({ length: random.int(2, 6) }, () => driver.request(content));
  const first = copies(original);
  await driver.sleep(random.pick([0, 10, 100, 5_000]));
  const rest = random.chance(0.6)
    ? [...copies(reversal), ...(random.chance(0.4) ? copies(second) : [])]
    : copies(original);
  await Promise.all([...first, ...rest]);
};

/** A reversal that the provider repeats until it is final, because the service does not resend rollbacks. */
const stubbornRollback: Flow = async (driver, { original, reversals: [reversal] }, options) => {
  await Promise.race([driver.request(original), driver.sleep(driver.random.pick([10, 1_000, 30_000]))]);
  await repeatUntilFinal(driver, reversal, 12, Math.ceil(options.quietPeriodMs / 3));
  if (driver.random.chance(0.5)) await repeatUntilFinal(driver, original, 2, options.quietPeriodMs);
};

/** A reversal that the provider repeats around the end of the quiet period, after which no late original can arrive. */
const impatient: Flow = async (driver, { original, reversals: [reversal] }, options) => {
  const { random } = driver;
  await driver.request(original, random.pick([1_500, 4_000, 12_000]));
  await driver.request(reversal, 1_500);
  await driver.sleep(Math.max(0, options.quietPeriodMs - random.int(0, 9_000)));
  const result = await repeatUntilFinal(driver, reversal, 20, 700);
  if (result === "failed" && random.chance(0.3)) await repeatUntilFinal(driver, reversal, 3, 5_000);
};

/** The merchant, support and the provider's repeat act on a transaction at the moment when its provider reverses it. */
const contested: Flow = async (driver, { original, reversals: [reversal] }, { support }) => {
  const { random } = driver;
  await driver.request(original, random.pick([1_500, 12_000]));
  // Some steps are made after a short horizon and the quiet period.
  await driver.sleep(random.pick([0, 3_000, 32_000, 50_000]));
  const soon = () => driver.sleep(random.int(0, 50));
  const back = async () => {
    await soon();
    await repeatUntilFinal(driver, reversal, random.int(1, 2), 500);
  };
  const others = [
    () => support.resend(original),
    () => support.close(original),
    () => support.close(reversal),
    () => driver.request(original),
  ];
  const other = async () => {
    await soon();
    await random.pick(others)();
  };
  await Promise.all([back(), other(), other()]);
  if (random.chance(0.3)) await repeatUntilFinal(driver, reversal, 3, 20_000);
};

/**
 * Overlapping requests for one transaction on all replicas, while merchants resend it. Some requests arrive while an
 * answer to an earlier request is on its way.
 */
const overlapping: Flow = async (driver, { original, reversals: [reversal] }, { support }) => {
  const { random } = driver;
  await driver.request(original, random.pick([1_500, 4_000]));
  const content = random.pick([original, reversal, reversal]);
  const spread = random.pick([1_500, 6_000, 30_000]);
  const requests = Array.from({ length: random.int(8, 24) }, async () => {
    await driver.sleep(random.int(0, spread));
    await driver.request(content, random.pick([1_500, 12_000, 30_000]));
  });
  const resends = Array.from({ length: random.int(0, 2) }, async () => {
    await driver.sleep(random.int(0, spread));
    await support.resend(content);
  });
  await Promise.all([...requests, ...resends]);
};

/**
 * A reversal and copies of its original within a few milliseconds, so that the original may arrive when only a part of
 * the reversal is written.
 */
const simultaneous: Flow = async (driver, { original, reversals: [reversal] }) => {
  const { random } = driver;
  const copies = Array.from({ length: random.int(1, 3) }, async () => {
    await driver.sleep(random.int(0, 80));
    await driver.request(original);
  });
  await Promise.all([driver.request(reversal, random.pick([1_500, 12_000])), ...copies]);
  if (random.chance(0.5)) await repeatUntilFinal(driver, reversal, 2, 5_000);
};

/** A transaction that its provider requests only once. Support closes it when it is still pending after the horizon. */
const abandoned: Flow = async (driver, { original, reversals: [reversal] }, { support, quietPeriodMs }) => {
  const { random } = driver;
  await driver.request(original, 1_500);
  const content = random.pick([original, original, reversal]);
  if (content === reversal) await driver.request(reversal, 1_500);
  await driver.sleep(32_000 + random.int(0, 2 * quietPeriodMs));
  const closings = Array.from({ length: random.int(1, 4) }, async () => {
    await driver.sleep(random.int(0, 5_000));
    await support.close(content);
  });
  await Promise.all(closings);
};

/** The reversal of an original that the service has never received, with right and with wrong content. */
const forgotten: Flow = async (driver, { original, reversals: [reversal, second] }) => {
  const { random } = driver;
  driver.forget(original);
  const wrong = random.chance(0.6) ? driver.request(mistaken(driver, second)) : undefined;
  await driver.sleep(random.int(0, 60));
  await repeatUntilFinal(driver, reversal, 3, 3_000);
  await wrong;
  if (random.chance(0.3)) await repeatUntilFinal(driver, original, 2, 3_000);
};

/** A bet, wins that name it, and its refunds, in the right order or at the same moment. */
const settlement: Flow = async (driver, { original, reversals }) => {
  const { random } = driver;
  const { bet, wins, refunds, rollback } = settlementOf(original, reversals);
  if (random.chance(0.8)) await repeatUntilFinal(driver, bet, random.int(1, 4), 2_000);
  else await Promise.race([driver.request(bet), driver.sleep(random.pick([0, 20, 1_000]))]);
  const spread = random.pick([0, 5, 60, 60, 2_000, 20_000]);
  const requests = Array.from({ length: random.int(2, 7) }, async () => {
    await driver.sleep(random.int(0, spread));
    const content = random.pick([...wins, ...wins, ...refunds, random.pick([bet, rollback])]);
    await driver.request(random.chance(0.1) ? mistaken(driver, content) : content);
  });
  await Promise.all(requests);
  await driver.sleep(random.pick([0, 3_000, 20_000]));
  const last = random.pick([...wins, ...refunds]);
  const result = await repeatUntilFinal(driver, last, 3, 3_000);
  if (result === "failed") await repeatUntilFinal(driver, last, 2, 8_000);
  if (random.chance(0.3)) await driver.request(random.pick([...wins, ...refunds]));
};

/** A Play and its repeats, with other calls for its bet and its win, and with their reversals. */
const played: Flow = async (driver, { original, reversals }) => {
  const { random } = driver;
  const { bet, win, lookalikes, refunds, rollbacks } = playOf(driver, original, reversals);
  // A Reverse that leaves the amount out reverses whatever came first, so it goes with no mistakes.
  const errs = random.chance(0.5);
  const ask = () => {
    if (!errs || !random.chance(0.2)) return driver.play(bet, win);
    // Bet and win of a Play have the same player, round and game, so only other mistakes are possible.
    const more = { ...win, amountMinor: win.amountMinor + 25n };
    const other = { ...win, txId: lookalikes[4]?.txId ?? win.txId };
    return random.pick([
      () => driver.play({ ...bet, amountMinor: bet.amountMinor + 25n }, win),
      () => driver.play(bet, more),
      () => driver.play(bet, other),
      () => driver.play(bet, { ...win, bet: { ...win.bet, settles: !win.bet.settles } }),
    ])();
  };
  if (random.chance(0.12)) await driver.request(random.pick([...rollbacks, ...refunds, ...lookalikes]));
  if (random.chance(0.7)) await Promise.race([ask(), driver.sleep(random.pick([0, 20, 1_000, 20_000]))]);
  const spread = random.pick([0, 5, 60, 2_000, 20_000]);
  const requests = Array.from({ length: random.int(1, 6) }, async () => {
    await driver.sleep(random.int(0, spread));
    if (random.chance(0.5)) return void (await ask());
    const content = random.pick([...lookalikes, ...lookalikes, ...refunds, ...rollbacks]);
    if (content.refTxId !== null && !errs && random.chance(0.5)) await driver.reverse(content, random.chance(0.5));
    else await driver.request(errs && random.chance(0.2) ? mistaken(driver, content) : content);
  });
  await Promise.all(requests);
  await driver.sleep(random.pick([0, 3_000, 20_000]));
  for (let i = random.int(0, 4); i > 0; i--) {
    const outcome = await ask();
    if (outcome.kind === "ok" && outcome.status !== "pending") break;
    await driver.sleep(random.int(100, 3_000));
  }
};

/** A bet and its win; single requests for them; refunds of the bet and rollbacks of the win. */
function playOf({ random }: ProviderDriver, original: Content, reversals: Cast["reversals"]) {
  const bet: Content = { ...original, action: "bet" };
  const number = ownTxId(original.txId).slice(1);
  const win = {
    ...original,
    action: "win",
    txId: wireTxId(PROVIDER.code, `p${number}`),
    amountMinor: BigInt(random.int(0, 9)) * 50n,
    bet: { txId: bet.txId, settles: random.chance(0.5) },
  } as const;
  const refunds = reversals.map((one): TransactionRequest => ({ ...one, action: "refund" }));
  const rollback = (own: string): TransactionRequest => {
    const { bet: _, ...content } = win;
    return { ...content, action: "rollback", txId: wireTxId(PROVIDER.code, `${own}${number}`), refTxId: win.txId };
  };
  const other = { ...win, txId: wireTxId(PROVIDER.code, `q${number}`) };
  const { bet: _, ...unnamed } = win;
  return {
    bet,
    win,
    lookalikes: [bet, bet, win, win, other, unnamed] as readonly TransactionRequest[],
    refunds: [...refunds, ...refunds.map((one) => ({ ...one, unlessSettled: true }))],
    rollbacks: [rollback("k"), rollback("l")],
  };
}

/** Reversals of an id, without or with its content, before, after and at the same moment as its original. */
const takenBack: Flow = async (driver, { original, reversals: [reversal, second] }, options) => {
  const { random } = driver;
  const deliver = random.chance(0.5);
  const isFirst = random.chance(0.3);
  if (!isFirst)
    await Promise.race([repeatUntilFinal(driver, original, 2, 2_000), driver.sleep(random.pick([20, 5_000]))]);
  const spread = random.pick([0, 5, 60, 2_000, 20_000]);
  const requests = Array.from({ length: random.int(2, 6) }, async () => {
    await driver.sleep(random.int(0, spread));
    const content = random.pick([reversal, reversal, second]);
    if (random.chance(isFirst ? 0.4 : 0.15)) await driver.request(original);
    else if (random.chance(0.15)) await driver.request(content);
    else await driver.reverse(content, deliver);
  });
  await Promise.all(requests);
  await driver.sleep(random.pick([0, 2_000, options.quietPeriodMs]));
  await driver.reverse(reversal, deliver);
  if (random.chance(0.4)) await driver.request(original);
};

/** Bets and wins of a round, and its end: by one of them, by EndRound, or by both. Some bets come after the end. */
const endedRound: Flow = async (driver, { original, reversals: [reversal] }) => {
  const { random } = driver;
  const { txId, ...rest } = original;
  const number = ownTxId(txId).slice(1);
  const roundId = `round ${number} ends`;
  const of = (own: string, action: "bet" | "win", more: Partial<Content> = {}): TransactionRequest => ({
    ...rest,
    ...more,
    txId: wireTxId(PROVIDER.code, `${own}${number}`),
    action,
    roundId,
    unlessEnded: true,
  });
  const ended = { roundEnded: true } as const;
  const first = of("a", "bet");
  const refund: Content = { ...reversal, action: "refund", refTxId: first.txId, roundId };
  const last = random.pick([
    of("l", "win", ended),
    of("l", "bet", ended),
    of("l", "win", { ...ended, amountMinor: 0n }),
  ]);
  const all = [first, of("b", "bet"), of("c", "bet"), of("w", "win"), last, last, refund];
  const endRound = () => driver.endRound({ merchantId: original.merchantId, providerId: PROVIDER.id, roundId });
  await repeatUntilFinal(driver, first, random.int(1, 3), 2_000);
  const spread = random.pick([0, 20, 60, 2_000, 20_000]);
  const requests = Array.from({ length: random.int(2, 7) }, async () => {
    await driver.sleep(random.int(0, spread));
    if (random.chance(0.15)) await endRound();
    else await driver.request(random.pick(all));
  });
  await Promise.all(requests);
  await (random.chance(0.6) ? repeatUntilFinal(driver, last, 4, 3_000) : endRound());
  await driver.sleep(random.pick([0, 0, 1_000, 10_000]));
  const late = [of("x", "bet"), of("y", "bet", { amountMinor: 0n }), first, of("v", "win"), last];
  await Promise.all(Array.from({ length: random.int(1, 3) }, () => driver.request(random.pick(late))));
};

/** Two settlements of a bet, one of 0, and a win that does not settle it; refunds with and without the condition. */
function settlementOf(original: Content, reversals: Cast["reversals"]) {
  const bet: Content = { ...original, action: "bet" };
  const number = ownTxId(original.txId).slice(1);
  const win = (own: string, settles: boolean, amountMinor = original.amountMinor): Content => ({
    ...original,
    action: "win",
    txId: wireTxId(PROVIDER.code, `${own}${number}`),
    amountMinor,
    bet: { txId: bet.txId, settles },
  });
  const [first, second] = reversals.map((one): TransactionRequest => ({ ...one, action: "refund" }));
  const refund = first ?? bet;
  const settling = win("w", true);
  const rollback: Content = {
    ...original,
    action: "rollback",
    txId: wireTxId(PROVIDER.code, `k${number}`),
    refTxId: settling.txId,
  };
  return {
    bet,
    wins: [settling, settling, win("v", true), win("z", true, 0n), win("n", false)],
    refunds: [
      { ...refund, unlessSettled: true },
      { ...refund, unlessSettled: true },
      { ...(second ?? refund), unlessSettled: true },
      refund,
    ],
    rollback,
  };
}

/** The same id with other content. */
function mistaken({ random }: ProviderDriver, content: TransactionRequest): TransactionRequest {
  const [first, second] = PLAYERS;
  // Only a win names a bet.
  const { bet, ...betless } = content;
  if (bet !== undefined && random.chance(0.4))
    return random.chance(0.5) ? betless : { ...content, bet: { ...bet, settles: !bet.settles } };
  return random.pick<TransactionRequest>([
    { ...content, amountMinor: content.amountMinor + 25n },
    { ...content, amountMinor: 0n },
    { ...content, playerId: (content.playerId === first ? second : first) as Content["playerId"] },
    { ...content, roundId: `${content.roundId}?` },
    { ...betless, action: content.action === "bet" ? "win" : content.action === "win" ? "bet" : content.action },
  ]);
}

/** A run draws its flows from this list. A flow that appears twice is drawn twice as often. */
const FLOWS: readonly Flow[] = [
  honest,
  honest,
  soup,
  soup,
  reversalFirst,
  storm,
  stubbornRollback,
  forgotten,
  impatient,
  contested,
  overlapping,
  overlapping,
  simultaneous,
  abandoned,
  settlement,
  settlement,
  takenBack,
  takenBack,
  endedRound,
  endedRound,
  played,
  played,
];
