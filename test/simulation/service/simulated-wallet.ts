import type { SilenceCause } from "../../../contract/wallet/results.ts";
import type { Ledger, Reply } from "../../../sandbox/merchant/ledger.ts";
import { transactionBody } from "../../../src/adapters/wallet-http/callback.ts";
import { readReply, silence } from "../../../src/adapters/wallet-http/reply.ts";
import type { Content } from "../../../src/domain/transaction/transaction.ts";
import { keyText } from "../../../src/domain/values/identifiers.ts";
import { type BalanceQuery, Wallet, type WalletReply, type WalletTarget } from "../../../src/ports/wallet.ts";
import type { WalletCall } from "../../../testbed/judge/record.ts";
import type { SeededRandom } from "../../../testbed/seeded-random.ts";
import type { Faults } from "../world/faults.ts";
import type { Fired } from "../world/fired.ts";
import type { Kernel } from "../world/kernel.ts";
import { type Links, linkToWallet } from "../world/links.ts";
import type { Host } from "../world/replica.ts";

const DOWN_MS = { min: 1_000, max: 20_000 };
const BLOCKED_MS = { min: 1_000, max: 15_000 };

export interface WalletLimits {
  /**
   * The longest pause of a process inside a send. After a longer pause the deadline has passed, and the process sends
   * nothing.
   */
  readonly pauseInSendMaxMs: number;
  /** The wallet may still apply a request this long after the caller stopped waiting. */
  readonly lateMaxMs: number;
  /** The time that a message to or from a wallet takes if no fault hits it. */
  readonly fastMs: { readonly min: number; readonly max: number };
  /** Whether wallets keep a rollback's TRANSACTION_NOT_FOUND like any other rejection. */
  readonly keepsNotFound: boolean;
}

/**
 * All merchants' wallets, with the reference ledger. A wallet may go down or block players. The network to the wallets
 * draws a fault for each request. A late request is applied within `lateMaxMs` after its caller stopped waiting or
 * died.
 */
export class WalletWorld {
  readonly ledger: Ledger;
  readonly calls: WalletCall[] = [];
  /** The time at which each transaction moved money, by the transaction's key. */
  readonly appliedAt = new Map<string, number>();
  readonly links: Links;
  /** See {@link WalletLimits}. */
  readonly pauseInSendMaxMs: number;
  readonly lateMaxMs: number;
  readonly #fastMs: WalletLimits["fastMs"];
  readonly #downUntil = new Map<string, number>();
  readonly #blockedUntil = new Map<string, number>();
  /** Rejections that are kept for ever, in addition to those in the ledger. */
  readonly #keptRejections = new Map<string, Reply>();
  readonly #kernel: Kernel;
  readonly #faults: Faults;
  readonly #random: SeededRandom;
  readonly #fired: Fired;
  readonly #keepsNotFound: boolean;

  constructor(
    ledger: Ledger,
    { kernel, faults, fired, links }: { kernel: Kernel; faults: Faults; fired: Fired; links: Links },
    random: SeededRandom,
    limits: WalletLimits,
  ) {
    this.pauseInSendMaxMs = limits.pauseInSendMaxMs;
    this.lateMaxMs = limits.lateMaxMs;
    this.#fastMs = limits.fastMs;
    this.#keepsNotFound = limits.keepsNotFound;
    this.ledger = ledger;
    this.links = links;
    this.#kernel = kernel;
    this.#faults = faults;
    this.#random = random;
    this.#fired = fired;
  }

  /** Once a second and merchant: its wallet may go down, or block a player, for a while. */
  tick(merchant: string, players: readonly string[]): void {
    if (this.happens("walletDown"))
      this.#downUntil.set(merchant, this.#kernel.now + this.#random.int(DOWN_MS.min, DOWN_MS.max));
    if (this.happens("blocked"))
      this.#blockedUntil.set(
        `${merchant}/${this.#random.pick(players)}`,
        this.#kernel.now + this.#random.int(BLOCKED_MS.min, BLOCKED_MS.max),
      );
  }

  heal(): void {
    this.#downUntil.clear();
    this.#blockedUntil.clear();
  }

  isDown(merchant: string): boolean {
    return (this.#downUntil.get(merchant) ?? 0) > this.#kernel.now;
  }

  /** Applies a request that has arrived. */
  apply(merchant: string, content: Content, body: string): Reply {
    const key = keyText(content);
    const kept = this.#keptRejections.get(key);
    if (kept !== undefined) return kept;
    if (
      (this.#blockedUntil.get(`${merchant}/${content.playerId}`) ?? 0) > this.#kernel.now &&
      !this.appliedAt.has(key)
    ) {
      const reply: Reply = { ok: false, error: "PLAYER_BLOCKED" };
      // The wallet keeps the rejection of a bet or rollback. It judges a repeated win or refund again.
      if (content.action === "bet" || content.action === "rollback") this.#keptRejections.set(key, reply);
      return reply;
    }
    const reply = this.ledger.apply(merchant, JSON.parse(body));
    if (reply.ok && !this.appliedAt.has(key)) this.appliedAt.set(key, this.#kernel.now);
    if (this.#keepsNotFound && content.action === "rollback" && !reply.ok) this.#keptRejections.set(key, reply);
    return reply;
  }

  /** @param name - the call that the fault may hit. */
  happens(
    fault: "walletRefused" | "walletLate" | "walletReplyLost" | "walletBroken" | "walletDown" | "blocked",
    name?: string,
  ): boolean {
    const happens = this.#random.chance(this.#faults[fault]);
    if (happens) this.#fired.count(fault, name);
    return happens;
  }

  /**
   * Counts a call that got no answer because the wallet was down, or whose bytes arrived after the caller had stopped
   * waiting.
   */
  met(fault: "walletAway" | "walletCut", name: string): void {
    this.#fired.count(fault, name);
  }

  fast(): number {
    return this.#random.ms(this.#fastMs);
  }

  /**
   * The delay of a late request or reply: within the time-out, or up to `lateMaxMs` after it, and often close to that
   * limit.
   */
  late(timeoutMs: number): number {
    const most = timeoutMs + this.lateMaxMs;
    return this.#random.int(this.coin() ? this.#fastMs.max : most - 2_000, most);
  }

  brokenReply(): { status: number; body: string } {
    return this.#random.pick([
      { status: 503, body: '{"ok":true,"balance":1}' },
      { status: 200, body: "<html>" },
      { status: 200, body: '{"ok":"true"}' },
      { status: 200, body: '{"ok":true,"balance":"1"}' },
    ]);
  }

  coin(): boolean {
    return this.#random.chance(0.5);
  }
}

/** The wallets as one life of a replica calls them. It uses the service's own request bodies and reply parser. */
export class SimulatedWallet extends Wallet {
  readonly #world: WalletWorld;
  readonly #kernel: Kernel;
  readonly #replica: Host;
  readonly #life: number;
  readonly #timeoutMs: number;

  constructor(world: WalletWorld, kernel: Kernel, replica: Host, timeoutMs: number) {
    super();
    this.#world = world;
    this.#kernel = kernel;
    this.#replica = replica;
    this.#life = replica.life;
    this.#timeoutMs = timeoutMs;
  }

  override send(target: WalletTarget, content: Content, attempt: number): Promise<WalletReply> {
    if (this.#life !== this.#replica.life) return new Promise(() => {});
    const call: WalletCall = {
      content,
      body: transactionBody(content),
      attempt,
      replica: this.#replica.number,
      begunAt: this.#kernel.now,
      sentAt: null,
      endedAt: null,
      answer: null,
    };
    this.#world.calls.push(call);
    return this.#replica.call<WalletReply>(this.#life, `wallet ${content.action}`, (done) => {
      const sentAt = this.#kernel.now;
      if (sentAt - call.begunAt > this.#world.pauseInSendMaxMs)
        return done(() => this.#ended(call, null, "timeout", sentAt));
      call.sentAt = sentAt;
      let open = true;
      const end = (status: number | null, body: string, cause?: SilenceCause) => {
        if (!open) return;
        open = false;
        giveUp();
        done(() => this.#ended(call, status, status === null ? (cause ?? "connect") : body, sentAt));
      };
      const giveUp = this.#kernel.after(this.#timeoutMs, () => end(null, "", "timeout"));
      this.#travel(target.merchantCode, content, call.body, end);
    });
  }

  /** @param text - the reply's body. If the status is null, the reason why there is no reply. */
  #ended(call: WalletCall, status: number | null, text: string, sentAt: number): WalletReply {
    const { answer, result } =
      status === null ? silence(text as SilenceCause) : readReply(status, Buffer.from(text), call.content.currency);
    call.endedAt = this.#kernel.now;
    call.answer = answer;
    return {
      answer,
      result,
      httpStatus: status,
      requestId: `${call.content.txId}#${call.attempt}`,
      durationMs: this.#kernel.now - sentAt,
    };
  }

  /** A balance call moves no money. So its only fault is a wallet that is down. */
  override balance({ merchantCode }: WalletTarget, { playerId }: BalanceQuery): Promise<WalletReply> {
    const world = this.#world;
    const answer = () =>
      ({
        answer: { kind: "accepted", balanceMinor: world.ledger.balanceMinor(merchantCode, playerId) },
        result: "accepted",
      }) as const;
    const reply = () => ({
      ...(world.isDown(merchantCode) ? silence("timeout") : answer()),
      httpStatus: null,
      requestId: "balance",
      durationMs: 0,
    });
    return this.#replica.call<WalletReply>(
      this.#life,
      "wallet balance",
      (done) => void this.#kernel.after(world.fast(), () => done(reply)),
    );
  }

  /** Carries the request to the ledger and the reply back. Each way has its own faults. */
  #travel(merchant: string, content: Content, body: string, end: (status: number | null, body: string) => void): void {
    const world = this.#world;
    const name = `wallet ${content.action}`;
    const link = linkToWallet(this.#replica.number, merchant);
    if (world.happens("walletRefused", name)) return void this.#kernel.after(world.fast(), () => end(null, ""));
    // A wallet that is down doesn't answer, but it may still apply a request that has reached it.
    const away = world.isDown(merchant);
    if (away) world.met("walletAway", name);
    if (away && world.coin()) return;
    const broken = world.happens("walletBroken", name);
    const back = (ms: number, status: number, text: string) =>
      void this.#kernel.after(ms, () => world.links.pass(link, name, () => end(status, text)));
    if (broken && world.coin()) {
      const reply = world.brokenReply();
      return back(world.fast(), reply.status, reply.body);
    }
    const lastAt = this.#kernel.now + this.#timeoutMs + world.lateMaxMs;
    const arrive = () => {
      // The sender has closed its connection, and the delayed request is lost.
      if (this.#kernel.now > lastAt) return world.met("walletCut", name);
      const reply = JSON.stringify(world.apply(merchant, content, body));
      if (away) return;
      const lost = world.happens("walletReplyLost", name);
      if (lost && world.coin()) return;
      const { status, body: text } = broken ? world.brokenReply() : { status: 200, body: reply };
      back(lost ? world.late(this.#timeoutMs) : world.fast(), status, text);
    };
    const there = away || world.happens("walletLate", name) ? world.late(this.#timeoutMs) : world.fast();
    this.#kernel.after(there, () => world.links.pass(link, name, arrive));
  }
}
