import { ok, type Result, refuse } from "../../domain/errors.ts";
import { fieldFault } from "../../domain/values/field-fault.ts";
import { isPlayerId } from "../../domain/values/identifiers.ts";
import type { AdminStore } from "../../ports/admin-store.ts";
import type { Ping, WalletPing } from "../../ports/wallet-ping.ts";
import type { RateLimits } from "../capacity/rate-limits.ts";
import type { Settings } from "../runtime/settings.ts";
import { walletTarget } from "../runtime/wallet-target.ts";
import { type AdminRequest, auditEntry, type Changes, notFound, reasonFaults, refuseFaults } from "./changes.ts";
import { type PingFinding, pingFinding } from "./ping-finding.ts";

export interface PingResult {
  readonly ping: Ping;
  readonly finding: PingFinding;
}

/** Tries a merchant's wallet with one signed balance query, outside of any session. */
export class PingWallet {
  readonly #changes: Changes;
  readonly #audit: AdminStore;
  readonly #settings: Settings;
  readonly #rateLimits: RateLimits;
  readonly #wallet: WalletPing;

  constructor(changes: Changes, audit: AdminStore, settings: Settings, rateLimits: RateLimits, wallet: WalletPing) {
    this.#changes = changes;
    this.#audit = audit;
    this.#settings = settings;
    this.#rateLimits = rateLimits;
    this.#wallet = wallet;
  }

  /** The merchant may be disabled. The ping is in the audit log before it is sent, because it may show a balance. */
  async ping(request: AdminRequest, code: string, player: string): Promise<Result<PingResult>> {
    const faults = reasonFaults(request);
    if (!isPlayerId(player))
      faults.push(fieldFault("player", "1 to 128 characters: the merchant's own id of a player"));
    if (faults.length > 0 || !isPlayerId(player)) return refuseFaults(faults);
    const found = await this.#changes.read(() => {
      const merchant = this.#settings.merchant(code);
      return merchant === undefined ? notFound("code") : ok(merchant);
    });
    if (!found.ok) return found;
    const merchant = found.value;
    const { allowed, retryAfterS } = this.#rateLimits.ping(merchant);
    if (!allowed) return refuse("RATE_LIMITED", { details: { limit: "ping", retry_after_s: retryAfterS } });
    await this.#audit.record(
      auditEntry(request, "merchant ping", `player ${code} ${player}`, [
        { field: "wallet_url", to: merchant.walletUrl },
      ]),
    );
    const ping = await this.#wallet.ping(walletTarget(this.#settings, merchant.id), player, merchant.currency);
    return ok({ ping, finding: pingFinding(ping, merchant.currency) });
  }
}
