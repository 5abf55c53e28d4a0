/**
 * Moves money for connectors: the order of calls, the notes that are written before them, and the balance that belongs
 * to an answer. A connector only says what a request means, and how to answer.
 */
import type { MessageInitShape } from "@bufbuild/protobuf";
import { Aggregator } from "../../kits/typescript-provider/src/aggregator.ts";
import { type Currency, isCurrency } from "../../src/domain/values/money.ts";
import {
  RecordState,
  TransactionAction,
  type TransactionRecord,
} from "../../src/gen/aggregator/provider/v1/transaction_record_pb.ts";
import { TransactionStatus } from "../../src/gen/aggregator/provider/v1/transaction_status_pb.ts";
import {
  type GetBalanceRequestSchema,
  ReverseOutcome,
} from "../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import type { Deadline } from "./deadline.ts";
import type { Amount } from "./decimals.ts";
import { traced } from "./operation/tracing.ts";
import type { Player, Session, Store } from "./state/store.ts";
import { type Outcome, outcome, outcomeOf, takesNothing, type Verdict, verdictOf } from "./verdict.ts";
import { sha256 } from "./verify.ts";
import type { Watch } from "./watch.ts";

export interface DeskOptions {
  readonly address: string;
  readonly apiKey: string;
  readonly store: Store;
  readonly watch: Watch;
  /**
   * Who reverses a bet whose outcome is not known. `provider`: the provider reverses it, as its API promises. A number:
   * the connector reverses it this many ms after the bet.
   */
  readonly unclearBets: "provider" | number;
}

/** What the money is for: labels, which decide nothing. See docs/specification/kinds.md. */
export interface Labels {
  readonly kind?: string;
  readonly promoId?: string;
  readonly jackpot?: { readonly id: string; readonly tier?: string };
  readonly jackpotContributionMicros?: bigint;
}

interface Money {
  /** The id at the aggregator: a pure function of the request. */
  readonly txId: string;
  readonly roundId: string;
  readonly game: string;
  readonly currency: string;
  readonly amount: Amount;
  readonly labels?: Labels;
  /** Whether the round ends with it. The service then refuses every new bet of the round. */
  readonly roundEnded?: boolean;
}

/** A bet of the kind `adjustment` is taken whatever the state of the session is. */
export interface Bet extends Money {
  readonly session: Session;
}

export interface Win extends Money {
  readonly player: Player;
  /** The bet to which the win belongs; undefined: any. */
  readonly betTxId?: string | undefined;
  /** Whether the win is the bet's only settlement. */
  readonly settles?: boolean;
}

/** A bet and its win in one call. The win is the bet's only settlement. */
export interface Play extends Omit<Bet, "txId" | "amount" | "labels"> {
  readonly bet: Pick<Bet, "txId" | "amount" | "labels">;
  readonly win: Pick<Win, "txId" | "amount" | "labels">;
}

export interface Reversal {
  readonly player: Player;
  readonly txId: string;
  readonly refTxId: string;
  readonly game: string;
  readonly roundId?: string | undefined;
  /** The whole amount of what is reversed; undefined: whatever is recorded. */
  readonly amountMinor?: bigint | undefined;
  /** Whether a bet that a win has settled stays as it is (`settled`). */
  readonly unlessSettled?: boolean;
  /** Whether only a bet is reversed. A win under this id is then refused with `other_reference`. */
  readonly onlyBet?: boolean;
}

/** The result of a reversal. `what`: what was reversed; `unknown`: the id is marked, and a late original is refused. */
export interface ReversalResult extends Outcome {
  readonly what: "bet" | "win" | "nothing" | "unknown";
}

/** The result of a Play: that of its bet. `win`: what has become of the win after the success of the bet. */
export interface PlayResult extends Outcome {
  readonly win: Pick<Outcome, "verdict" | "wireId">;
}

const REVERSED: Readonly<Record<number, ReversalResult["what"]>> = {
  [ReverseOutcome.REFUND]: "bet",
  [ReverseOutcome.ROLLBACK]: "win",
  [ReverseOutcome.NOTHING]: "nothing",
  [ReverseOutcome.MARKED]: "unknown",
};
const BALANCES_MAX = 10_000;
const ROUND_PAGE = 1_000;
/** These refusals come before the service looks at the id, so the id may be known with other content. */
const BEFORE_ID: ReadonlySet<Verdict> = new Set(["game", "currency", "amount"]);

export class Desk {
  readonly #aggregator: Aggregator;
  readonly #store: Store;
  readonly #watch: Watch;
  readonly #unclearBets: "provider" | number;
  /** The newest known balance of players, for answers of which the service knows no balance. */
  readonly #balances = new Map<string, bigint>();

  constructor({ address, apiKey, store, watch, unclearBets }: DeskOptions) {
    this.#aggregator = new Aggregator({ address, apiKey });
    this.#store = store;
    this.#watch = watch;
    this.#unclearBets = unclearBets;
  }

  async bet(bet: Bet, deadline: Deadline): Promise<Outcome> {
    const { session, txId, roundId, game, amount, currency, labels = {}, roundEnded = false } = bet;
    const wrong = await this.#wrongAmount(bet, session.currency, "bet", session, deadline);
    if (wrong !== undefined) return wrong;
    const who = labels.kind === "adjustment" ? { playerRef: session.playerRef } : { sessionId: session.sessionId };
    const request = { ...who, ...labels, txId, roundId, game, currency, amountMinor: amount.minor, roundEnded };
    return this.#take(bet, deadline, () => this.#aggregator.wallet.placeBet(request, deadline.options()));
  }

  /** A bet of 0 and its win are two calls, because the service stores nothing of such a bet. */
  async play({ bet, win, ...common }: Play, deadline: Deadline): Promise<PlayResult> {
    const { session, roundId, game, currency, roundEnded = false } = common;
    const isSplit = bet.amount.minor === 0n;
    const taking = { ...common, ...bet };
    const winning = { ...common, ...win, player: session, betTxId: bet.txId, settles: true };
    if (isSplit) {
      const taken = await this.bet({ ...taking, roundEnded: false }, deadline);
      const paid = taken.verdict === "ok" ? await this.win(winning, deadline) : taken;
      return { ...taken, balance: paid.balance, win: paid };
    }
    const wrong =
      (await this.#wrongAmount(taking, session.currency, "bet", session, deadline)) ??
      (win.amount.minor === 0n && win.amount.rest === "0"
        ? undefined
        : await this.#wrongAmount(winning, session.currency, "win", session, deadline));
    if (wrong !== undefined) return { ...wrong, win: wrong };
    const request = {
      sessionId: session.sessionId,
      roundId,
      currency,
      game,
      bet: { ...bet.labels, txId: bet.txId, amountMinor: bet.amount.minor },
      win: { ...win.labels, txId: win.txId, amountMinor: win.amount.minor, settles: true },
      roundEnded,
    };
    let paid: PlayResult["win"] = { verdict: "ok", wireId: "" };
    const call = async () => {
      const reply = await this.#aggregator.wallet.play(request, deadline.options());
      paid = { verdict: verdictOf(reply.winStatus, reply.winError), wireId: reply.winTxId };
      return { ...reply, txId: reply.betTxId };
    };
    const result = await this.#take(taking, deadline, call, () => paid.verdict === "ok" || paid.verdict === "pending");
    return { ...result, win: paid };
  }

  /**
   * Makes the call of a bet. If nobody may learn its outcome, its own reversal is written before.
   *
   * @param isGood - whether the provider is told of a success if the bet stands.
   */
  async #take(
    { session, txId, roundId, currency, game, amount }: Bet,
    deadline: Deadline,
    call: Parameters<typeof outcomeOf>[0],
    isGood = () => true,
  ): Promise<Outcome> {
    const after = this.#unclearBets;
    const isOurs = after !== "provider" && amount.minor > 0n;
    // The reversal has the game of the session, because the service may not know the game of the bet.
    const request = { playerRef: session.playerRef, game: session.game, amount: String(amount.minor) };
    if (isOurs) await this.#store.bets.arm(txId, request, after);
    const found = await this.#differs(await this.#call("bet", call), txId, session, deadline);
    const result = await this.#withBalance(found, session, game, deadline);
    const content = sha256(JSON.stringify([session.alias, roundId, currency, String(amount.minor)]));
    return isOurs ? this.#decided(txId, content, result, isGood(), deadline) : result;
  }

  /** What the provider is told of a bet that the connector itself reverses. See open-bets.ts. */
  async #decided(
    txId: string,
    content: string,
    result: Outcome,
    isGood: boolean,
    deadline: Deadline,
  ): Promise<Outcome> {
    const { verdict, balance } = result;
    // The caller has closed the connection and gets no answer, or the answer is about another bet under this id.
    if (deadline.hasHungUp() || verdict === "mismatch" || verdict === "other_reference") return result;
    // An answer that a bet stands needs the balance.
    const stands = verdict === "ok" && balance !== undefined && isGood;
    const told = stands ? "taken" : takesNothing(verdict) ? "refused" : "ending";
    const decision = await this.#store.bets.decide(txId, told, { content, balance });
    if (decision.balance !== undefined && verdict !== "ok" && verdict !== "reversed")
      return { ...result, verdict: "ok", code: "", replayed: true, balance: balance ?? decision.balance };
    const isDenied = decision.state === "ending" || decision.state === "ended";
    return isDenied && verdict === "ok" && isGood ? { ...result, verdict: "unclear" } : result;
  }

  async win(win: Win, deadline: Deadline): Promise<Outcome> {
    const { player, txId, roundId, game, amount, currency, betTxId, settles = false, labels, roundEnded = false } = win;
    // A win cannot be its own bet: the id belongs to something else.
    if (betTxId === txId) return outcome("mismatch", "TRANSACTION_MISMATCH");
    const wrong = await this.#wrongAmount(win, player.currency, "win", player, deadline);
    if (wrong !== undefined) return wrong;
    const { playerRef } = player;
    const request = { ...labels, playerRef, txId, roundId, game, currency, amountMinor: amount.minor, roundEnded };
    const pay = (more: object) =>
      this.#call("win", () => this.#aggregator.wallet.payWin({ ...request, ...more }, deadline.options()));
    let found = await pay(betTxId === undefined ? {} : { betTxId, settles });
    if (found.verdict === "no_bet" && betTxId !== undefined)
      found = (await this.#zeroBet(win, betTxId, settles)) ?? (await pay({}));
    const isPaid = found.verdict === "ok" || found.verdict === "pending";
    if (betTxId !== undefined && isPaid && this.#unclearBets !== "provider") await this.#store.bets.close(betTxId);
    return this.#withBalance(await this.#differs(found, txId, player, deadline), player, game, deadline);
  }

  /** Reverses whatever is recorded under an id. The service delivers the reversal, also of a win. */
  async reverse(reversal: Reversal, deadline: Deadline): Promise<ReversalResult> {
    const { player, unlessSettled = false, onlyBet = false, txId, refTxId, game, amountMinor } = reversal;
    const { roundId = "" } = reversal;
    if (refTxId === txId) return { ...outcome("mismatch", "TRANSACTION_MISMATCH"), what: "nothing" };
    const zero = await this.#reverseZeroBet(reversal);
    if (zero === "settled")
      return { ...(await this.#withBalance(outcome("settled"), player, game, deadline)), what: "bet" };
    const original = onlyBet ? TransactionAction.BET : TransactionAction.UNSPECIFIED;
    const { playerRef } = player;
    const request = { playerRef, txId, refTxId, game, roundId, unlessSettled, kind: original, deliver: true };
    const reversed = amountMinor === undefined ? request : { ...request, amountMinor };
    let kind: ReverseOutcome = ReverseOutcome.UNSPECIFIED;
    let found = await this.#call("reverse", async () => {
      const reply = await this.#aggregator.wallet.reverse(reversed, deadline.options());
      kind = reply.outcome;
      return reply;
    });
    if (found.wireId !== "" && found.code !== "") found = await this.#failedReversal(found, kind, txId, player, game);
    if (this.#unclearBets !== "provider" && (found.verdict === "ok" || found.verdict === "pending"))
      await this.#store.bets.close(refTxId);
    const result = await this.#withBalance(found, player, game, deadline);
    if (zero !== undefined) return { ...result, what: "bet", replayed: zero === "again" };
    return { ...result, what: REVERSED[kind] ?? "unknown" };
  }

  /** A bet of 0 is reversed in its note. Returns undefined if the reversal names no such bet. */
  async #reverseZeroBet({ player, txId, refTxId, unlessSettled }: Reversal) {
    const note = await this.#store.noteOf(refTxId);
    if (note?.kind !== "bet" || note.alias !== player.alias) return undefined;
    const isOurs = await this.#store.closeNote(refTxId, txId, "reversed");
    if (isOurs) return note.closedAs === null ? "now" : "again";
    const { closedAs } = (await this.#store.noteOf(refTxId)) ?? note;
    return unlessSettled && closedAs === "settled" ? "settled" : "again";
  }

  /** The present balance. The question is a use of the session. */
  sessionBalance(session: Session, game: string, deadline: Deadline): Promise<Outcome> {
    return this.#balance(session, { sessionId: session.sessionId, game }, deadline);
  }

  /** The present balance of a player, for calls without a session. */
  balance(player: Player, game: string, deadline: Deadline): Promise<Outcome> {
    return this.#balance(player, { playerRef: player.playerRef, game }, deadline);
  }

  /** Whether the session still accepts bets (`ok`) or not (`expired`). The question is a use of the session. */
  async touch(session: Session, deadline: Deadline): Promise<Verdict> {
    return (await this.present(session, deadline)).verdict;
  }

  /** As {@link touch}, with the present jurisdiction of the session's merchant. "": not told, or there is no answer. */
  async present(
    { sessionId }: Session,
    deadline: Deadline,
  ): Promise<{ readonly verdict: Verdict; readonly jurisdiction: string }> {
    let isOpen = false;
    let jurisdiction = "";
    const { verdict } = await this.#call("session", async () => {
      const session = await this.#aggregator.wallet.getSession({ sessionId, touch: true }, deadline.options());
      isOpen = session.acceptsBets;
      jurisdiction = session.jurisdiction;
      return { status: TransactionStatus.SUCCESS, error: "" };
    });
    return { verdict: verdict === "ok" && !isOpen ? "expired" : verdict, jurisdiction };
  }

  /** The player's recorded bets and wins of a round, oldest first. Throws if the service does not answer. */
  async round(
    { playerRef }: Player,
    roundId: string,
    deadline: Deadline,
  ): Promise<{ readonly bets: readonly TransactionRecord[]; readonly wins: readonly TransactionRecord[] }> {
    const records: TransactionRecord[] = [];
    for (let cursor = "", isLast = false; !isLast; isLast = cursor === "") {
      const request = { playerRef, roundId, limit: ROUND_PAGE, cursor };
      const page = await this.#ask("round", () => this.#aggregator.wallet.getRound(request, deadline.options()));
      records.push(...page.transactions.filter((record) => record.playerRef === playerRef));
      cursor = page.nextCursor;
    }
    const of = (action: TransactionAction) => records.filter((record) => record.action === action);
    return { bets: of(TransactionAction.BET), wins: of(TransactionAction.WIN) };
  }

  /** Tells the service that a round has ended. The result has the present balance. */
  async endRound(player: Player, roundId: string, game: string, deadline: Deadline): Promise<Outcome> {
    const found = await this.#call("end_round", async () => {
      await this.#aggregator.wallet.endRound({ playerRef: player.playerRef, roundId }, deadline.options());
      return { status: TransactionStatus.SUCCESS, error: "" };
    });
    return this.#withBalance(found, player, game, deadline);
  }

  /** The record under an id; undefined: there is none. Throws if the service does not answer. */
  async record(txId: string, player: Player, deadline: Deadline): Promise<TransactionRecord | undefined> {
    return (await this.#transaction(txId, player, deadline)).transaction;
  }

  /** Whether the service has a record of this id. */
  async knows(txId: string, player: Player, deadline: Deadline): Promise<boolean> {
    return (await this.#transaction(txId, player, deadline)).state !== RecordState.UNKNOWN;
  }

  #transaction(txId: string, { playerRef }: Player, deadline: Deadline) {
    return this.#ask("lookup", () => this.#aggregator.wallet.getTransaction({ playerRef, txId }, deadline.options()));
  }

  /** Asks a question. Throws if the service does not answer. */
  async #ask<T>(name: string, question: () => Promise<T>): Promise<T> {
    let answer: T | undefined;
    const { verdict, code } = await this.#call(name, async () => {
      answer = await question();
      return { status: TransactionStatus.SUCCESS, error: "" };
    });
    if (answer === undefined) throw new Error(`the aggregator did not answer: ${code || verdict}`);
    return answer;
  }

  /**
   * The rules about amounts that the service can't keep: amounts of 0 and amounts with a part below the minor unit are
   * noted with their content, so the same id with other content is refused. Such a part of a bet is refused; of a win it
   * is cut off, noted and reported.
   */
  async #wrongAmount(
    { txId, roundId, game, currency, amount, ...more }: Money & { readonly betTxId?: string | undefined },
    own: Currency,
    kind: "bet" | "win",
    player: Player,
    deadline: Deadline,
  ): Promise<Outcome | undefined> {
    const refused = async (verdict: Verdict) =>
      this.#withBalance(await this.#differs(outcome(verdict), txId, player, deadline), player, game, deadline);
    if (!isCurrency(currency) || currency !== own) return refused("currency");
    const isCut = amount.rest !== "0";
    if (isCut && kind === "bet") return refused("amount");
    const content = [kind, player.alias, roundId, game, currency, amount.minor, amount.rest, more.betTxId ?? ""];
    const digest = sha256(JSON.stringify(content.map(String)));
    let note = await this.#store.noteOf(txId);
    if (note === undefined && (isCut || amount.minor === 0n)) {
      // The note is always written before the call. So a known id without a note has other content.
      const { state } = await this.#transaction(txId, player, deadline);
      if (state === RecordState.MARKED)
        return this.#withBalance(outcome("reversed", "TRANSACTION_REVERSED"), player, game, deadline);
      if (state !== RecordState.UNKNOWN) return outcome("mismatch", "TRANSACTION_MISMATCH");
      note = await this.#store.note(txId, { digest, kind, alias: player.alias }, amount.rest);
      if (isCut) this.#watch.alert("amount_cut", { tx: txId, currency, rest: amount.rest });
    }
    if (note !== undefined && note.digest !== digest) return outcome("mismatch", "TRANSACTION_MISMATCH");
    return undefined;
  }

  /**
   * A bet of 0 leaves no record at the service, so a note says that it was placed. Returns undefined if the win may be
   * paid without a look at the bet.
   */
  async #zeroBet({ txId, player }: Win, betTxId: string, settles: boolean): Promise<Outcome | undefined> {
    const note = await this.#store.noteOf(betTxId);
    if (note?.kind !== "bet" || note.alias !== player.alias) return outcome("no_bet", "BET_NOT_FOUND");
    if (note.closedAs === "reversed") return outcome("reversed", "TRANSACTION_REVERSED");
    if (!settles || (await this.#store.closeNote(betTxId, txId, "settled"))) return undefined;
    const { closedAs } = (await this.#store.noteOf(betTxId)) ?? note;
    return closedAs === "reversed" ? outcome("reversed", "TRANSACTION_REVERSED") : outcome("settled", "BET_SETTLED");
  }

  /**
   * The wallet has rejected a reversal. A refund that finds nothing in the wallet is right: there was nothing to give
   * back. Anything else is money that somebody owes, so it is stored, and people are told.
   */
  async #failedReversal(
    found: Outcome,
    kind: ReverseOutcome,
    txId: string,
    player: Player,
    game: string,
  ): Promise<Outcome> {
    if (found.code === "TRANSACTION_NOT_FOUND") return { ...found, verdict: "ok" };
    await this.#store.bets.owe(txId, { playerRef: player.playerRef, game });
    this.#watch.alert("reversal_rejected", {
      tx: txId,
      code: found.code,
      isWin: String(kind === ReverseOutcome.ROLLBACK),
    });
    return { ...found, verdict: "debt" };
  }

  /** A refusal that came before the service looked at the id: if the id is known, the content differs. */
  async #differs(found: Outcome, txId: string, player: Player, deadline: Deadline): Promise<Outcome> {
    if (!BEFORE_ID.has(found.verdict)) return found;
    const isKnown = await this.knows(txId, player, deadline);
    return isKnown ? outcome("mismatch", "TRANSACTION_MISMATCH") : found;
  }

  /** Adds the present balance to a result that has none. */
  async #withBalance(found: Outcome, player: Player, game: string, deadline: Deadline): Promise<Outcome> {
    // The balance of a stored rejection may be old, and a provider shows it as the present one.
    const isOld = found.balance === undefined || (found.verdict === "funds" && found.replayed);
    if (isOld && deadline.hasTime()) {
      const { balance } = await this.balance(player, game, deadline);
      if (balance !== undefined) return { ...found, balance };
    }
    if (!found.replayed) this.#remember(player, found.balance);
    return { ...found, balance: found.balance ?? this.#balances.get(player.alias) };
  }

  async #balance(
    player: Player,
    request: MessageInitShape<typeof GetBalanceRequestSchema>,
    deadline: Deadline,
  ): Promise<Outcome> {
    const found = await this.#call("balance", () => this.#aggregator.wallet.getBalance(request, deadline.options()));
    this.#remember(player, found.balance);
    return found;
  }

  #remember({ alias }: Player, balance: bigint | undefined): void {
    if (balance === undefined) return;
    this.#balances.delete(alias);
    this.#balances.set(alias, balance);
    const [oldest] = this.#balances.keys();
    if (this.#balances.size > BALANCES_MAX && oldest !== undefined) this.#balances.delete(oldest);
  }

  async #call(name: string, call: Parameters<typeof outcomeOf>[0]): Promise<Outcome> {
    const found = await traced(
      name,
      () => outcomeOf(call),
      ({ verdict }) => verdict,
    );
    this.#watch.called(name, found);
    return found;
  }
}
