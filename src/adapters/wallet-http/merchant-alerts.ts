import type { AlertName, LogIds, Telemetry } from "../../ports/telemetry.ts";
import type { WalletTarget } from "../../ports/wallet.ts";
import { AddressRefused } from "./address-guard.ts";
import type { Ending } from "./exchange.ts";
import type { Reading } from "./reply.ts";

/**
 * The number of replies with 401 in a row after which an alert is raised. The wallet then probably does not have the
 * merchant's secret yet, or has a wrong one.
 */
const UNAUTHORIZED_ALERT = 5;

/**
 * A fault that only a person can repair. The alert is raised when the fault begins. It is raised again only after a
 * call has reached the wallet without this fault.
 */
interface Trouble {
  readonly alert: AlertName;
  /** The reason for the log: an error code of Node or OpenSSL, a status, or the address. */
  readonly why: string;
}

/** Raises alerts for faults of wallet calls that a person should examine. */
export class MerchantAlerts {
  readonly #telemetry: Telemetry;
  readonly #troubles = new Map<number, AlertName>();
  readonly #unauthorized = new Map<number, number>();

  constructor(telemetry: Telemetry) {
    this.#telemetry = telemetry;
  }

  /** The troubles that have not ended, of which an alert was raised. */
  ongoing(): { readonly alert: AlertName; readonly merchantId: number }[] {
    const refused = [...this.#unauthorized].filter(([, inARow]) => inARow >= UNAUTHORIZED_ALERT);
    return [
      ...[...this.#troubles].map(([merchantId, alert]) => ({ alert, merchantId })),
      ...refused.map(([merchantId]) => ({ alert: "wallet_401s" as const, merchantId })),
    ];
  }

  /**
   * Call this at the end of each wallet call.
   *
   * @param ids - those of the call, for the log.
   */
  ended({ merchantId, merchantCode: merchant }: WalletTarget, ending: Ending, reading: Reading, ids: LogIds): void {
    if (reading.result === "accepted" && reading.inexact !== undefined)
      this.#telemetry.alert("balance_precision", { merchant, tx_id: ids.tx_id ?? null, balance: reading.inexact }, ids);
    const trouble = troubleOf(ending);
    if (trouble === undefined) {
      if (ending.status !== null) this.#troubles.delete(merchantId);
    } else if (this.#troubles.get(merchantId) !== trouble.alert) {
      this.#troubles.set(merchantId, trouble.alert);
      this.#telemetry.alert(trouble.alert, { merchant, why: trouble.why }, ids);
    }
    if (ending.status === 401) {
      const inARow = (this.#unauthorized.get(merchantId) ?? 0) + 1;
      this.#unauthorized.set(merchantId, inARow);
      if (inARow === UNAUTHORIZED_ALERT) this.#telemetry.alert("wallet_401s", { merchant, in_a_row: inARow }, ids);
    } else if (ending.status !== null) this.#unauthorized.delete(merchantId);
  }
}

function troubleOf(ending: Ending): Trouble | undefined {
  if (ending.status !== null)
    return ending.status >= 300 && ending.status < 400
      ? { alert: "wallet_redirects", why: String(ending.status) }
      : undefined;
  if (ending.fault === null || ending.error === undefined) return undefined;
  if (ending.error instanceof AddressRefused) return { alert: "wallet_address", why: ending.error.message };
  return ending.fault === "tls" ? { alert: "wallet_tls", why: ending.error.code ?? "" } : undefined;
}
