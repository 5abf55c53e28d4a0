import type { Result } from "../../../src/domain/errors.ts";
import type { SlipBet } from "../../../src/domain/transaction/betslip.ts";
import type { SlipKey } from "../../../src/ports/transactions/slip-store.ts";
import type { SeededRandom } from "../../../testbed/seeded-random.ts";
import type { ServiceProcess } from "../service/service-process.ts";
import { linkToProvider } from "../world/links.ts";
import type { Stage } from "../world/stage.ts";
import { isDatabaseFault, MERCHANTS, PLAYERS, PROVIDER, sessionId } from "../world/world-fixture.ts";

const NETWORK_MS = { min: 1, max: 40 };
const GRACE_MS = 500;
const BETS_MAX = 5;

/** The sportsbook's record of a slip. */
export interface Placed {
  readonly key: SlipKey;
  readonly merchant: string;
  readonly player: string;
  readonly bets: readonly SlipBet[];
  /** Every status in the service's replies, and the code of each refusal. */
  readonly replies: string[];
  /** Bets that the sportsbook refunded by its own requests. */
  readonly refundedBy: Set<string>;
}

/**
 * A sportsbook's side of the calls. It repeats a slip until it gets the final result, or gives up. Sometimes it refunds
 * a bet in the meantime.
 */
export class SlipDriver {
  readonly slips: Placed[] = [];
  readonly bugs: string[] = [];
  readonly #stage: Stage;
  readonly #random: SeededRandom;

  constructor(stage: Stage, random: SeededRandom) {
    this.#stage = stage;
    this.#random = random;
  }

  async play(count: number, windowMs: number): Promise<void> {
    await Promise.all(
      Array.from({ length: count }, async (_, i) => {
        await this.#sleep(this.#random.int(0, windowMs));
        await this.#flow(i);
      }),
    );
  }

  async #flow(i: number): Promise<void> {
    const random = this.#random;
    const { id, code } = random.pick(MERCHANTS);
    // A slip that has only free bets moves no money, so at least one bet costs something.
    const costs = random.int(1, BETS_MAX);
    const bets = Array.from({ length: costs + random.pick([0, 0, 1]) }, (_, n): SlipBet => {
      return {
        txId: `s${i}b${n}`,
        roundId: `r${i}.${n}`,
        amountMinor: n === costs || (n > 0 && random.chance(0.1)) ? 0n : BigInt(random.int(1, 900)),
      };
    });
    const slip: Placed = {
      key: { merchantId: id, slipId: `s${i}` },
      merchant: code,
      player: random.pick(PLAYERS),
      bets,
      replies: [],
      refundedBy: new Set(),
    };
    this.slips.push(slip);
    const copies = Array.from({ length: random.pick([1, 1, 1, 3]) }, () => this.#insist(slip, random.int(1, 8)));
    if (random.chance(0.2)) copies.push(this.#refund(slip));
    await Promise.all(copies);
  }

  async #insist(slip: Placed, times: number): Promise<void> {
    for (let i = 0; i < times; i++) {
      const reply = await this.#call((app, deadline) =>
        app.placeBetslip.place({
          provider: PROVIDER,
          sessionId: sessionId(slip.key.merchantId, slip.player),
          slipId: slip.key.slipId,
          bets: slip.bets,
          currency: "",
          deadline,
        }),
      );
      if (reply !== undefined) slip.replies.push(reply);
      if (reply === "success" || reply === "failed") return;
      await this.#sleep(this.#random.int(10, 8_000));
    }
  }

  /** The sportsbook refunds one bet, whether or not the wallet has already debited it. */
  async #refund({ key, player, bets, refundedBy }: Placed): Promise<void> {
    const bet = this.#random.pick(bets);
    if (bet.amountMinor === 0n) return;
    await this.#sleep(this.#random.pick([0, 50, 500, 20_000]));
    refundedBy.add(bet.txId);
    await this.#call((app, deadline) =>
      app.moveMoney.move({
        provider: PROVIDER,
        action: "refund",
        sessionId: sessionId(key.merchantId, player),
        playerRef: "",
        game: "",
        txId: `mine-${bet.txId}`,
        refTxId: bet.txId,
        roundId: bet.roundId,
        amountMinor: bet.amountMinor,
        currency: MERCHANTS.find(({ id }) => id === key.merchantId)?.currency ?? "",
        deadline,
      }),
    );
  }

  /**
   * Sends one request to a random replica. Resolves to the status, to the refusal's code, or without an answer to
   * undefined.
   */
  #call(
    serve: (app: ServiceProcess, deadline: number) => Promise<Result<{ readonly status: string }>>,
  ): Promise<string | undefined> {
    const timeoutMs = this.#random.pick([1_500, 4_000, 12_000, 30_000, 60_000]);
    const replica = this.#random.pick(this.#stage.replicas);
    const send = (what: string, arrive: () => void) => this.#travel(linkToProvider(replica.number), what, arrive);
    return new Promise((resolve) => {
      const giveUp = this.#stage.kernel.after(timeoutMs + GRACE_MS, () => resolve(undefined));
      const end = (reply: string | undefined) => {
        giveUp();
        resolve(reply);
      };
      send("request", () => {
        if (replica.app === undefined) return end(undefined);
        const { life } = replica;
        const back = (reply: string | undefined) => replica.enter(life, () => send("reply", () => end(reply)));
        replica.enter(life, () => {
          const { app } = replica;
          if (app === undefined) return;
          serve(app, app.clock.monotonic() + timeoutMs).then(
            (result) => back(result.ok ? result.value.status : result.refusal.code),
            (cause: unknown) => {
              if (!isDatabaseFault(cause))
                this.bugs.push(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));
              back(undefined);
            },
          );
        });
      });
    });
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#stage.kernel.after(ms, resolve));
  }

  /** Delivers a request or reply in one direction, unless it is lost. */
  #travel(link: string, what: string, arrive: () => void): void {
    const { kernel, links, faults, fired } = this.#stage;
    if (this.#random.chance(faults.callerLost)) return fired.count("callerLost", what);
    kernel.after(this.#random.ms(NETWORK_MS), () => links.pass(link, what, arrive));
  }
}
