/** What the fake providers do: which call follows which answer, and what their own book then says. */
import type { Effect } from "../../../sandbox/merchant/ledger.ts";
import type { Callback } from "../../../sandbox/merchant/wallet.ts";
import { evolutionFields, startEvolutionStage } from "../../../testbed/connectors/evolution.ts";
import { hubFields, startHubStage } from "../../../testbed/connectors/hub88.ts";
import { pgFields, startPgSoftStage } from "../../../testbed/connectors/pgsoft.ts";
import { pragmaticFields, startPragmaticStage } from "../../../testbed/connectors/pragmatic.ts";
import { RECON_TOKEN, redTigerFields, startRedTigerStage } from "../../../testbed/connectors/redtiger.ts";
import { startSlotegratorStage } from "../../../testbed/connectors/slotegrator.ts";
import { bet, rollback, softswissFields, startSoftswissStage, win } from "../../../testbed/connectors/softswiss.ts";
import { spribeFields, startSpribeStage } from "../../../testbed/connectors/spribe.ts";
import type { ProviderCall, StageOptions } from "../../../testbed/connectors/stage.ts";
import type { Scope } from "../../../testbed/stage/world.ts";

/** What the provider has learnt from the answers to a bet. */
export type BetState = "stands" | "refused" | "unclear";

/** The calls of one round, and how the provider reads their answers. Amounts are minor units. */
export interface RoundScript {
  readonly round: string;
  bet(amount: number): ProviderCall;
  /** `n`: the number of the win in the round, from 0. */
  win(amount: number, n: number): ProviderCall;
  /** What the call of the bet itself pays. */
  readonly winOfBet?: number;
  /** Absent: this API takes no bet back. A bet without a clear answer is sent until it has one. */
  cancelBet?(amount: number): ProviderCall;
  /** undefined: this API takes no win back. */
  readonly cancelWin?: (n: number) => ProviderCall;
  betState(status: string): BetState;
  /** Whether the answer ends the win, so that it is not sent again. */
  isWinDone(status: string): boolean;
  isCancelDone(status: string): boolean;
}

export type ChaosAnswer = Readonly<Record<string, unknown>>;

/** A provider with its connector. */
export interface ChaosProvider {
  readonly stage: {
    readonly origins: readonly string[];
    readonly replicas: readonly { restart(): Promise<void> }[];
    readonly service: {
      /** The callbacks that the wallet got. */
      readonly callbacks: Callback[];
      readonly wallet: {
        readonly ledger: {
          readonly effects: readonly Pick<Effect, "roundId" | "txId" | "deltaMinor">[];
          deposit(merchant: string, player: string, minor: bigint): void;
        };
        setFault(fault: { readonly kind: "none" | "applied_no_reply" | "http_500" }): void;
      };
    };
    restartService(): Promise<void>;
  };
  /** The most wins of one round that the API allows. */
  readonly winsMax: number;
  /** Whether the provider may forget a bet with an unclear answer: the connector then reverses it. */
  readonly forgets: boolean;
  /** The HTTP statuses of this API's answers; 200 alone if they are not named. */
  readonly http?: readonly number[];
  /** The name of an answer's result, where `status`, `error` or `error_code` do not say it. */
  resultOf?(answer: ChaosAnswer): string;
  next(): RoundScript;
}

const ENV = {
  // The sandbox's wallet refuses what comes after its reversal, so nobody has to wait until no late copy can come.
  REFUND_QUIET_PERIOD_MS: "0",
  WALLET_TIMEOUT_MS: "700",
  LEASE_MARGIN_MS: "300",
  RESEND_FIRST_DELAY_MS: "200",
};

type Start = (t: Scope, more?: Partial<StageOptions>) => Promise<ChaosProvider>;

async function hub(t: Scope, api: "hub88" | "caleta", more: Partial<StageOptions> = {}): Promise<ChaosProvider> {
  const forgets = api === "caleta";
  const stage = await startHubStage(
    t,
    api,
    { processes: true, env: ENV, ...more },
    forgets ? { CALETA_REVERSE_AFTER_MS: "8000", CALETA_TIMEOUT_MS: "3000" } : { HUB88_TIMEOUT_MS: "3000" },
  );
  const who = await stage.open();
  const wire = (amount: number) => amount * 1_000;
  return {
    stage,
    winsMax: 2,
    forgets,
    next() {
      const bet = hubFields(who);
      const round = bet.round;
      const id = (name: string) => `${bet.transaction_uuid}-${name}`;
      const fields = (name: string, more: object) => ({ ...bet, round, transaction_uuid: id(name), ...more });
      const rollback = (name: string, reference: string) => {
        const { amount: _, currency: __, ...names } = { ...bet, transaction_uuid: id(name) };
        return stage.request("rollback", { ...names, reference_transaction_uuid: id(reference) });
      };
      return {
        round,
        bet: (amount) => stage.request("bet", fields("bet", { amount: wire(amount) })),
        win: (amount, n) =>
          stage.request("win", fields(`win${n}`, { amount: wire(amount), reference_transaction_uuid: id("bet") })),
        cancelBet: () => rollback("back", "bet"),
        cancelWin: (n) => rollback(`unwin${n}`, `win${n}`),
        betState: (status) =>
          status === "RS_OK" ? "stands" : status === "RS_ERROR_NOT_ENOUGH_MONEY" ? "refused" : "unclear",
        isWinDone: (status) => status === "RS_OK",
        isCancelDone: (status) => status === "RS_OK",
      };
    },
  };
}

async function evolution(t: Scope, more: Partial<StageOptions> = {}): Promise<ChaosProvider> {
  const variables = { EVOLUTION_REVERSE_AFTER_MS: "8000", EVOLUTION_TIMEOUT_MS: "3000" };
  const stage = await startEvolutionStage(t, { processes: true, env: ENV, ...more }, variables);
  const who = await stage.open();
  let number = 0;
  return {
    stage,
    winsMax: 1,
    forgets: true,
    next() {
      const refId = `ref-${++number}`;
      const bet = evolutionFields(who, refId, 0);
      const fields = (id: string, amount: number) => ({
        ...bet,
        transaction: { id: `${refId}-${id}`, refId, amount: amount / 100 },
      });
      let credits = 0;
      return {
        round: bet.game.id,
        bet: (amount) => stage.request("debit", fields("d", amount)),
        // A credit that comes again may have another id. It is still the same settlement.
        win: (amount) => stage.request("credit", fields(`c${credits++ % 2}`, amount)),
        cancelBet: (amount) => stage.request("cancel", fields("d", amount)),
        betState: (status) =>
          ["OK", "BET_ALREADY_EXIST"].includes(status)
            ? "stands"
            : ["TEMPORARY_ERROR", "UNKNOWN_ERROR"].includes(status)
              ? "unclear"
              : "refused",
        isWinDone: (status) => ["OK", "BET_ALREADY_SETTLED"].includes(status),
        isCancelDone: (status) => ["OK", "BET_ALREADY_SETTLED", "BET_DOES_NOT_EXIST"].includes(status),
      };
    },
  };
}

/** A refund has the reference of its bet, and a result names only the round. */
async function pragmatic(t: Scope, more: Partial<StageOptions> = {}): Promise<ChaosProvider> {
  const stage = await startPragmaticStage(t, { processes: true, env: ENV, ...more }, { PRAGMATIC_TIMEOUT_MS: "3000" });
  const { userId } = await stage.open();
  return {
    stage,
    winsMax: 2,
    forgets: false,
    next() {
      const { reference, roundId = "", ...bet } = pragmaticFields(userId);
      const money = (id: string, amount: number) => ({
        ...bet,
        roundId,
        reference: id,
        amount: (amount / 100).toFixed(2),
      });
      return {
        round: roundId,
        bet: (amount) => stage.request("bet", money(reference, amount)),
        win: (amount, n) => stage.request("result", money(`${reference}-${n}`, amount)),
        cancelBet: () => stage.request("refund", { userId, reference }),
        betState: (error) => (error === "0" ? "stands" : error === "1" ? "refused" : "unclear"),
        isWinDone: (error) => error === "0",
        isCancelDone: (error) => error === "0",
      };
    },
  };
}

async function slotegrator(t: Scope, more: Partial<StageOptions> = {}): Promise<ChaosProvider> {
  const variables = { SLOTEGRATOR_REVERSE_AFTER_MS: "8000", SLOTEGRATOR_TIMEOUT_MS: "3000" };
  const stage = await startSlotegratorStage(t, { processes: true, env: ENV, ...more }, variables);
  const who = await stage.open();
  let number = 0;
  return {
    stage,
    winsMax: 2,
    forgets: true,
    next() {
      const round = `chaos-${++number}`;
      const fields = (action: string, id: string, amount: number) => ({
        action,
        ...{ amount: (amount / 100).toFixed(2), currency: "BRL", game_uuid: "lucky" },
        ...who,
        ...{ transaction_id: `${round}-${id}`, type: action, round_id: round },
      });
      const wins = new Map<number, number>();
      let reversals = 0;
      return {
        round,
        bet: (amount) => stage.request(fields("bet", "bet", amount)),
        win: (amount, n) => {
          wins.set(n, amount);
          return stage.request(fields("win", `win${n}`, amount));
        },
        // A refund or rollback that comes again may have another id. It is still the same reversal.
        cancelBet: (amount) =>
          stage.request({ ...fields("refund", `back${reversals++ % 2}`, amount), bet_transaction_id: `${round}-bet` }),
        cancelWin: (n) => {
          const { action, amount, transaction_id, type } = fields("win", `win${n}`, wins.get(n) ?? 0);
          const { amount: _, ...names } = fields("rollback", `unwin${reversals++ % 2}`, 0);
          return stage.request({ ...names, rollback_transactions: [{ action, amount, transaction_id, type }] });
        },
        betState: (status) => (status === "ok" ? "stands" : status === "INSUFFICIENT_FUNDS" ? "refused" : "unclear"),
        isWinDone: (status) => status === "ok",
        isCancelDone: (status) => status === "ok",
      };
    },
  };
}

async function redtiger(t: Scope, more: Partial<StageOptions> = {}): Promise<ChaosProvider> {
  const variables = { REDTIGER_REVERSE_AFTER_MS: "8000", REDTIGER_TIMEOUT_MS: "3000" };
  const stage = await startRedTigerStage(t, { processes: true, env: ENV, ...more }, variables);
  const who = await stage.open();
  const late = { ...who, token: RECON_TOKEN };
  return {
    stage,
    winsMax: 2,
    forgets: true,
    http: [200, 400],
    resultOf: ({ error }) => (error === undefined ? "ok" : String((error as { code?: unknown }).code)),
    next() {
      const round = redTigerFields(who, "0").round.id;
      const fields = (id: string, amount: number, as = who) =>
        redTigerFields(as, (amount / 100).toFixed(2), { id: `${round}-${id}`, round });
      return {
        round,
        bet: (amount) => stage.request("stake", fields("stake", amount)),
        win: (amount, n) => stage.request("payout", fields(`payout${n}`, amount, n === 0 ? who : late)),
        cancelBet: (amount) => stage.request("refund", fields("stake", amount, late)),
        betState: (code) => (code === "ok" ? "stands" : code === "304" ? "refused" : "unclear"),
        isWinDone: (code) => code === "ok",
        isCancelDone: (code) => code === "ok" || code === "400",
      };
    },
  };
}

/** A spin is bet and win in one call, and has no cancel: it is sent until it has an answer. */
async function pgsoft(t: Scope, more: Partial<StageOptions> = {}): Promise<ChaosProvider> {
  const stage = await startPgSoftStage(t, { processes: true, env: ENV, ...more }, { PGSOFT_TIMEOUT_MS: "3000" });
  const who = await stage.open();
  let number = 0;
  return {
    stage,
    winsMax: 2,
    forgets: false,
    resultOf: ({ error }) => (error === null ? "ok" : (error as { code: string }).code),
    next() {
      const winOfBet = [0, 40, 500][number++ % 3] ?? 0;
      const { bet_id: parent } = pgFields(who, 0, 0);
      return {
        round: parent,
        winOfBet,
        // A copy may have another balance id. It is still the same spin, and it may come after the session.
        bet: (amount) => {
          const fields = pgFields(who, amount, winOfBet, { bet_id: parent, is_validate_bet: "True" });
          return stage.request("Cash/TransferInOut", {
            ...fields,
            transaction_id: `${parent}-${parent}-106-${number++}`,
            is_end_round: "False",
          });
        },
        win: (amount, n) =>
          stage.request(
            "Cash/TransferInOut",
            pgFields(who, 0, amount, { bet_id: `${parent}${n}`, parent_bet_id: parent, is_end_round: "False" }),
          ),
        betState: (code) => (code === "ok" ? "stands" : code === "3202" ? "refused" : "unclear"),
        isWinDone: (code) => code === "ok",
        isCancelDone: () => false,
      };
    },
  };
}

async function spribe(t: Scope, more: Partial<StageOptions> = {}): Promise<ChaosProvider> {
  const variables = { SPRIBE_REVERSE_AFTER_MS: "8000", SPRIBE_TIMEOUT_MS: "3000" };
  const stage = await startSpribeStage(t, { processes: true, env: ENV, ...more }, variables);
  const who = await stage.open();
  return {
    stage,
    winsMax: 1,
    forgets: true,
    resultOf: ({ code }) => String(code),
    next() {
      const { action_id: round, provider_tx_id: id } = spribeFields(who, 0);
      const fields = (name: string, amount: number, more: object = {}) =>
        spribeFields(who, amount * 10, { action_id: round, provider_tx_id: `${id}-${name}`, ...more });
      const isDone = (code: string) => code === "200" || code === "409";
      let rollbacks = 0;
      return {
        round,
        bet: (amount) => stage.request("withdraw", fields("bet", amount)),
        win: (amount) => stage.request("deposit", fields("win", amount, { withdraw_provider_tx_id: `${id}-bet` })),
        // A rollback that comes again may have another id. It is still the same reversal.
        cancelBet: (amount) =>
          stage.request("rollback", fields(`back${rollbacks++ % 2}`, amount, { rollback_provider_tx_id: `${id}-bet` })),
        betState: (code) => (isDone(code) ? "stands" : code === "402" ? "refused" : "unclear"),
        isWinDone: isDone,
        isCancelDone: (code) => isDone(code) || code === "408",
      };
    },
  };
}

/** A spin is bet and win in one call. The upstream rolls back what has no clear answer. */
async function softswiss(t: Scope, more: Partial<StageOptions> = {}): Promise<ChaosProvider> {
  const stage = await startSoftswissStage(t, { processes: true, env: ENV, ...more }, { SOFTSWISS_TIMEOUT_MS: "3000" });
  const who = await stage.open();
  let number = 0;
  return {
    stage,
    winsMax: 2,
    forgets: false,
    http: [200, 400, 412, 500],
    resultOf: ({ code }) => String(code ?? "ok"),
    next() {
      const own = ++number;
      const round = `round-${own}`;
      const winOfBet = [0, 40, 500][own % 3] ?? 0;
      const play = (...actions: readonly object[]) => stage.request("play", softswissFields(who, round, actions));
      const back = (...ids: readonly string[]) =>
        stage.request(
          "rollback",
          softswissFields(
            who,
            round,
            ids.map((id) => rollback(`${round}-un${id}`, `${round}-${id}`)),
          ),
        );
      return {
        round,
        winOfBet,
        bet: (amount) =>
          own % 2 === 0
            ? play(bet(`${round}-bet`, amount), win(`${round}-first`, winOfBet))
            : play(bet(`${round}-bet`, amount - 1), bet(`${round}-side`, 1), win(`${round}-first`, winOfBet)),
        win: (amount, n) => play(win(`${round}-win${n}`, amount)),
        cancelBet: () => back("first", "side", "bet"),
        cancelWin: (n) => back(`win${n}`),
        betState: (code) => (code === "ok" ? "stands" : code === "100" ? "refused" : "unclear"),
        isWinDone: (code) => code === "ok",
        isCancelDone: (code) => code === "ok",
      };
    },
  };
}

export const PROVIDERS: Readonly<Record<string, Start>> = {
  hub88: (t, more) => hub(t, "hub88", more),
  caleta: (t, more) => hub(t, "caleta", more),
  evolution,
  pragmatic,
  slotegrator,
  redtiger,
  pgsoft,
  softswiss,
  spribe,
};
