/** Places slips. A page's slip becomes bets and is sent to the service, again and again until its outcome is known. */
import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { Refused } from "../http/page-server.ts";
import { type Bet, type BetLeg, type Refund, stakeTx } from "./bet.ts";
import type { Cashier } from "./cashier.ts";
import type { Book, Selection } from "./model/book.ts";
import { readSelection } from "./model/markets.ts";
import { takes } from "./model/odds-habit.ts";
import { potentialMinor } from "./model/payout.ts";
import { type ExchangedSession, ServiceRefusal, type SlipReply, type SportsbookClient } from "./service-client.ts";
import type { SlipRequest } from "./slip-request.ts";

const PAUSE_MS_MIN = 250;
const PAUSE_MS_MAX = 30_000;
/** The longest pause between two reads of refunds. It is short, because a player waits for the refunds. */
const FOLLOW_MS_MAX = 5_000;
/** The largest payment to a wallet, in minor units of any currency. */
const RETURN_MINOR_MAX = 9_999_999_999n;
/** A page waits this long for the outcome. A wallet may take 8 s. */
const PATIENCE_MS = 10_000;
const SLIPS_MAX = 10_000;

/** The outcome of a slip. `pending`: not known yet; the bets show it later. */
export interface PlacedSlip {
  readonly status: "placed" | "pending" | "failed";
  /** Why the slip failed: the code of the bet that ended it. */
  readonly error: string;
  readonly bets: readonly Bet[];
  readonly balanceMinor: bigint | null;
}

export class Slips {
  readonly #client: SportsbookClient;
  readonly #book: Book;
  readonly #cashier: Cashier;
  /** Slips by player and the page's slip id, so that a repeat gets the same slip. */
  readonly #slips = new Map<string, Promise<PlacedSlip>>();
  readonly #closing = new AbortController();

  constructor(client: SportsbookClient, book: Book, cashier: Cashier) {
    this.#client = client;
    this.#book = book;
    this.#cashier = cashier;
  }

  /**
   * Resolves when the outcome is known, or to `pending` after a while. The slip is then still repeated until its
   * outcome is known. Throws {@link Refused} (409 when odds changed in a way that the player does not accept, or a match
   * is over: nothing is placed), and {@link ServiceRefusal} when the service refused the slip.
   */
  place(session: ExchangedSession, request: SlipRequest): Promise<PlacedSlip> {
    const key = `${session.player_ref} ${request.slipId}`;
    const known = this.#slips.get(key);
    if (known !== undefined) return known;
    const bets = this.#take(session, request);
    const driven = this.#drive(session, bets);
    const patience = setTimeout(PATIENCE_MS, undefined, { signal: this.#closing.signal }).then(
      (): PlacedSlip => ({ status: "pending", error: "", bets, balanceMinor: null }),
    );
    const placed = Promise.race([driven, patience]);
    this.#slips.set(key, placed);
    // A repeat gets the outcome. A refused slip is deleted, so that it may come again with another session or other
    // odds.
    driven.then(
      () => this.#slips.has(key) && this.#slips.set(key, driven),
      () => this.#slips.delete(key),
    );
    const oldest = this.#slips.keys().next().value;
    if (this.#slips.size > SLIPS_MAX && oldest !== undefined) this.#slips.delete(oldest);
    return placed;
  }

  close(): void {
    this.#closing.abort();
  }

  /** The bets at the odds of this moment, if the player accepts all changes from the odds that the page showed. */
  #take(session: ExchangedSession, request: SlipRequest): Bet[] {
    const taken = request.bets.map(({ stakeMinor, selections }) => ({
      stakeMinor,
      legs: selections.map(({ id, odds }) => {
        const now = this.#book.selection(id);
        if (now?.odds == null || !takes(request.accept, odds, now.odds))
          throw new Refused(409, "ODDS_CHANGED", "The odds moved, or a selection is gone. Nothing was placed.");
        return legOf(now, now.odds);
      }),
    }));
    const tooHigh = taken.some(
      ({ stakeMinor, legs }) =>
        potentialMinor(
          stakeMinor,
          legs.map(({ odds }) => odds),
        ) > RETURN_MINOR_MAX,
    );
    if (tooHigh) throw new Refused(422, "RETURN_TOO_HIGH", "This bet could return more than is paid.");
    const slip = randomBytes(9).toString("base64url").replaceAll("-", "x");
    return taken.map(({ legs, stakeMinor }, i) => ({
      id: `${slip}-${i + 1}`,
      slip,
      player: session.player_ref,
      currency: session.currency,
      stakeMinor,
      placedAt: Date.now(),
      legs,
      state: "placing",
      error: "",
      refund: "none",
      result: null,
      returnMinor: 0n,
      paying: false,
    }));
  }

  /** Sends the same slip until its outcome is known. */
  async #drive(session: ExchangedSession, bets: readonly Bet[]): Promise<PlacedSlip> {
    for (let pause = PAUSE_MS_MIN, asked = false; ; pause = Math.min(pause * 2, PAUSE_MS_MAX), asked = true) {
      try {
        const reply = await this.#send(session, bets);
        if (!asked) this.#cashier.add(bets);
        if (reply.status !== "pending") {
          void this.#followRefunds(session, bets, reply).catch((error: unknown) => {
            if (!this.#closing.signal.aborted)
              console.error(`slip ${bets[0]?.slip}: its refunds are not followed:`, error);
          });
          return this.#learn(bets, reply);
        }
      } catch (error) {
        if (!(error instanceof ServiceRefusal)) throw error;
        if (!error.again && !asked) throw error;
        if (!error.again)
          return this.#learn(bets, {
            status: "failed",
            balanceMinor: null,
            bets: bets.map((bet) => ({
              tx_id: stakeTx(bet),
              status: "failed",
              error: error.code,
              refundStatus: null,
            })),
          });
        // It is not known whether the service has the slip.
        if (!asked) this.#cashier.add(bets);
      }
      await setTimeout(pause, undefined, { signal: this.#closing.signal });
    }
  }

  #send(session: ExchangedSession, bets: readonly Bet[]): Promise<SlipReply> {
    const wire = bets.map((bet) => ({ tx_id: stakeTx(bet), round_id: bet.id, amount_minor: String(bet.stakeMinor) }));
    return this.#client.placeBetslip(session.session_id, (bets[0] as Bet).slip, wire);
  }

  /** Repeats a failed slip until its refunds are done, because the reply to a repeat has the state of the refunds. */
  async #followRefunds(session: ExchangedSession, bets: readonly Bet[], first: SlipReply): Promise<void> {
    let reply = first;
    for (let pause = PAUSE_MS_MIN; refundOf(reply) === "pending"; pause = Math.min(pause * 2, FOLLOW_MS_MAX)) {
      await setTimeout(pause, undefined, { signal: this.#closing.signal });
      reply = await this.#send(session, bets).catch((error: unknown) => {
        if (error instanceof ServiceRefusal && error.again) return reply;
        throw error;
      });
      if (refundOf(reply) === "pending") continue;
      const now = await this.#client.getBalance({ player_ref: session.player_ref }).catch(() => undefined);
      this.#learn(bets, { ...reply, balanceMinor: now?.balanceMinor ?? null });
    }
  }

  #learn(bets: readonly Bet[], reply: SlipReply): PlacedSlip {
    const errors = new Map(reply.bets.map(({ tx_id, error }) => [tx_id, error]));
    const placed = reply.status === "success";
    for (const bet of bets) {
      bet.state = placed ? "open" : "rejected";
      bet.error = placed ? "" : (errors.get(stakeTx(bet)) ?? "");
      bet.refund = refundOf(reply);
      this.#cashier.setBalance(bet.player, reply.balanceMinor);
    }
    const error = bets.find((bet) => bet.error !== "" && bet.error !== "NOT_SENT")?.error ?? "";
    return { status: placed ? "placed" : "failed", error, bets, balanceMinor: reply.balanceMinor };
  }
}

/** The state of the refund of a failed slip. It is the same for all bets of the slip. */
function refundOf({ status, bets }: SlipReply): Refund {
  if (status !== "failed" || bets.every(({ refundStatus }) => refundStatus === null)) return "none";
  if (bets.some(({ refundStatus }) => refundStatus === "pending")) return "pending";
  // If the wallet rejects the refund of a bet without an answer, the bet was never debited.
  return bets.some((bet) => bet.status === "success" && bet.refundStatus === "failed") ? "refused" : "done";
}

function legOf({ id, event }: Selection, odds: number): BetLeg {
  const named = readSelection(id);
  if (named === undefined) throw new Error(`${id} is not a selection`);
  const { sport, home, away } = event;
  return {
    selection: id,
    event: event.id,
    sport,
    home,
    away,
    market: named.market.kind,
    line: named.market.line,
    pick: named.pick,
    odds,
    outcome: null,
    score: null,
  };
}
