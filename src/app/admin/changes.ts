import { changedFields, type FieldChange, type Fields } from "../../domain/access/audit.ts";
import type { Role } from "../../domain/access/role.ts";
import { type FieldFault, ok, type Result, refuse } from "../../domain/errors.ts";
import { fieldFault } from "../../domain/values/field-fault.ts";
import { isReason } from "../../domain/values/identifiers.ts";
import type { AdminStore, Decide, NewAuditEntry, Wanted } from "../../ports/admin-store.ts";
import type { Settings } from "../runtime/settings.ts";

/** Who makes an administrative call, and for which reason. */
export interface AdminRequest {
  /** The admin key's name. */
  readonly actor: string;
  readonly role: Role;
  /** The reason for the audit log. Empty: no reason was given. */
  readonly reason: string;
}

/**
 * Changes and reads settings for the administration. A change is stored together with its audit entries, and this
 * replica knows it at once. A read sees every change.
 */
export class Changes {
  readonly #store: AdminStore;
  readonly #settings: Settings;

  constructor(store: AdminStore, settings: Settings) {
    this.#store = store;
    this.#settings = settings;
  }

  /** Stores what `decide` returns, then loads the change into this replica's memory. Throws StoreUnavailable. */
  async make<T>(wanted: Wanted, decide: Decide<T>): Promise<Result<T>> {
    const made = await this.#store.change(wanted, decide);
    if (made.ok) await this.#settings.refresh();
    return made;
  }

  /**
   * Calls `read` after every change that was acknowledged before this call has been loaded into memory. Games of large
   * imports may still be missing.
   */
  async read<T>(read: () => Result<T>): Promise<Result<T>> {
    return (await this.#settings.refresh()) ? read() : refuse("SERVICE_UNAVAILABLE");
  }

  /** Like {@link read}, but waits for all games too. After a large import this may take seconds. */
  async readGames<T>(read: () => Result<T>): Promise<Result<T>> {
    return (await this.#settings.refreshGames()) ? read() : refuse("SERVICE_UNAVAILABLE");
  }
}

/**
 * The audit entry of a call.
 *
 * @param action - noun and verb, as in the command line.
 */
export const auditEntry = (
  request: AdminRequest,
  action: string,
  target: string,
  changes: readonly FieldChange[],
): NewAuditEntry => ({
  actor: request.actor,
  action,
  target,
  reason: request.reason === "" ? null : request.reason,
  changes,
});

/** The faults of a reason that is missing or that the audit log cannot store. */
export const reasonFaults = ({ reason }: AdminRequest, required = false): FieldFault[] =>
  isReason(reason) && !(required && reason.trim() === "")
    ? []
    : [fieldFault("reason", required ? "1 to 1024 characters: why" : "at most 1024 characters")];

export const refuseFaults = (
  faults: readonly FieldFault[],
): { ok: false; refusal: { code: "VALIDATION_ERROR"; details: readonly FieldFault[] } } => ({
  ok: false,
  refusal: { code: "VALIDATION_ERROR", details: faults },
});

/**
 * Compares a record before and after a change. Returns the changed fields, or all faults.
 *
 * @param before - undefined: the record is new.
 * @param inRecord - faults of the record. Faults of unchanged fields are left out, because a rule may be newer than the
 *   record.
 * @param inRequest - faults of the request. All of them are returned.
 */
export function judge(
  before: Fields | undefined,
  after: Fields,
  inRecord: readonly FieldFault[],
  inRequest: readonly FieldFault[],
): Result<readonly FieldChange[]> {
  const changes = changedFields(before, after);
  const stays = (field: string) =>
    before !== undefined && Object.hasOwn(after, field) && !changes.some((change) => change.field === field);
  const faults = [...inRecord.filter(({ field }) => !stays(field)), ...inRequest];
  return faults.length > 0 ? refuseFaults(faults) : ok(changes);
}

export const notFound = (field: string) => refuse("RECORD_NOT_FOUND", { field });
export const alreadyThere = (field: string) => refuse("ALREADY_EXISTS", { field });
