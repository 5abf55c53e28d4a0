import { mayAct, type Role } from "../../../domain/access/role.ts";
import { ok, type Result, refuse } from "../../../domain/errors.ts";
import type { DbTime } from "../../../domain/transaction/transaction.ts";
import { fieldFault } from "../../../domain/values/field-fault.ts";
import { ALERTS } from "../../../ports/telemetry.ts";
import type { AlertStore, OpenAlert } from "../../../ports/transactions/alert-store.ts";
import { type AdminRequest, auditEntry, reasonFaults, refuseFaults } from "../../admin/changes.ts";
import type { Settings } from "../../runtime/settings.ts";

const LIMIT = { standard: 100, max: 200 };

/** An open alert. `merchant` or `keyKind` is empty, or both are. */
interface ShownAlert extends Omit<OpenAlert, "subject"> {
  readonly merchant: string;
  readonly keyKind: string;
}

interface ShownAlerts {
  readonly asOf: DbTime;
  readonly alerts: readonly ShownAlert[];
  /** The number of open alerts, if it is at most 200; else 201. */
  readonly total: number;
}

interface AlertToAcknowledge {
  readonly alert: string;
  readonly merchant: string;
  readonly keyKind: string;
  /** The last occurrence that the caller knows. */
  readonly lastAt: DbTime | undefined;
}

/** Lists the open alerts, and closes one for an operator. */
export class ShowAlerts {
  readonly #store: AlertStore;
  readonly #settings: Pick<Settings, "databaseNow">;

  constructor(store: AlertStore, settings: Pick<Settings, "databaseNow">) {
    this.#store = store;
    this.#settings = settings;
  }

  /**
   * The newest alerts. A role without the right to see transactions gets no transaction, and no detail but the day of
   * differing sums, because a report of this day says so to all.
   * Refusals: VALIDATION_ERROR. Throws StoreUnavailable.
   *
   * @param limit - 0 means 100.
   */
  async list(role: Role, limit: number): Promise<Result<ShownAlerts>> {
    if (limit > LIMIT.max) return refuseFaults([fieldFault("limit", `1 to ${LIMIT.max}`)]);
    const found = await this.#store.list(LIMIT.max + 1);
    const seesAll = mayAct(role, "support");
    const alerts = found.slice(0, limit === 0 ? LIMIT.standard : limit).map(({ subject, ...alert }) => ({
      ...alert,
      ...(!seesAll && { txId: "", ...(alert.name !== "ggr_differs" && { detail: "" }) }),
      ...(alert.name === "wrong_keys" ? { merchant: "", keyKind: subject } : { merchant: subject, keyKind: "" }),
    }));
    return ok({ asOf: this.#settings.databaseNow(), alerts, total: found.length });
  }

  /**
   * Closes an alert with a reason. Refusals: VALIDATION_ERROR; RECORD_NOT_FOUND (`alert`): it is not open, or it
   * occurred again after `lastAt`. Throws StoreUnavailable.
   */
  async acknowledge(request: AdminRequest, asked: AlertToAcknowledge): Promise<Result<void>> {
    const { merchant, keyKind, lastAt } = asked;
    const name = ALERTS.find((one) => one === asked.alert);
    const faults = [
      ...(name === undefined ? [fieldFault("alert", `one of ${ALERTS.join(", ")}`)] : []),
      ...(lastAt === undefined ? [fieldFault("last_at", "the last_at of the alert")] : []),
      ...reasonFaults(request, true),
    ];
    if (faults.length > 0 || name === undefined || lastAt === undefined) return refuseFaults(faults);
    const subject = name === "wrong_keys" ? keyKind : merchant;
    const entry = auditEntry(request, "alert acknowledge", `alert ${subject} ${name}`, []);
    return (await this.#store.acknowledge({ name, subject }, lastAt, entry))
      ? ok(undefined)
      : refuse("RECORD_NOT_FOUND", { field: "alert" });
  }
}
