import { changedFields, type FieldChange, type Fields } from "../../domain/access/audit.ts";
import type { Role } from "../../domain/access/role.ts";
import { type FieldFault, ok, type Result, refuse } from "../../domain/errors.ts";
import { fieldFault } from "../../domain/values/field-fault.ts";
import { isReason } from "../../domain/values/identifiers.ts";
import type { AdminStore, Decide, NewAuditEntry, Wanted } from "../../ports/admin-store.ts";
import type { Settings } from "../runtime/settings.ts";

/** Who asks for something, and why. */
export interface AdminRequest {
  /** The admin key's name. */
  readonly actor: string;
  readonly role: Role;
  /** Empty: nothing was said. */
  readonly reason: string;
}

/** Settings as the administration works with them: changes are stored with their audit and known here at once, readings see every change. */
export class Changes {
  readonly #store: AdminStore;
  readonly #settings: Settings;

  constructor(store: AdminStore, settings: Settings) {
    this.#store = store;
    this.#settings = settings;
  }

  /** Throws StoreUnavailable. */
  async make<T>(wanted: Wanted, decide: Decide<T>): Promise<Result<T>> {
    const made = await this.#store.change(wanted, decide);
    if (made.ok) await this.#settings.refresh();
    return made;
  }

  /** Reads the settings in memory, games aside, when they have all that was acknowledged before. */
  async read<T>(read: () => Result<T>): Promise<Result<T>> {
    return (await this.#settings.refresh()) ? read() : refuse("SERVICE_UNAVAILABLE");
  }

  /** As {@link read}, games included: after a large import that may take seconds. */
  async readGames<T>(read: () => Result<T>): Promise<Result<T>> {
    return (await this.#settings.refreshGames()) ? read() : refuse("SERVICE_UNAVAILABLE");
  }
}

/** The entry of a change, in the words of the command line. */
export const auditEntry = (request: AdminRequest, action: string, target: string, changes: readonly FieldChange[]): NewAuditEntry => ({
  actor: request.actor,
  action,
  target,
  reason: request.reason === "" ? null : request.reason,
  changes,
});

/** The fault of a reason that the audit log can't keep. */
export const reasonFaults = ({ reason }: AdminRequest, required = false): FieldFault[] =>
  isReason(reason) && !(required && reason.trim() === "") ? [] : [fieldFault("reason", required ? "1 to 1024 characters: why" : "at most 1024 characters")];

export const refuseFaults = (faults: readonly FieldFault[]): { ok: false; refusal: { code: "VALIDATION_ERROR"; details: readonly FieldFault[] } } => ({
  ok: false,
  refusal: { code: "VALIDATION_ERROR", details: faults },
});

/**
 * What a change of a record changes, or every fault of it.
 *
 * @param before - undefined: the record is new.
 * @param inRecord - faults of the record. Of a field that stays as it is they are not told: a rule may be younger than the record.
 * @param inRequest - faults of what was asked.
 */
export function judge(
  before: Fields | undefined,
  after: Fields,
  inRecord: readonly FieldFault[],
  inRequest: readonly FieldFault[],
): Result<readonly FieldChange[]> {
  const changes = changedFields(before, after);
  const stays = (field: string) => before !== undefined && Object.hasOwn(after, field) && !changes.some((change) => change.field === field);
  const told = [...inRecord.filter(({ field }) => !stays(field)), ...inRequest];
  return told.length > 0 ? refuseFaults(told) : ok(changes);
}

export const notFound = (field: string) => refuse("RECORD_NOT_FOUND", { field });
export const alreadyThere = (field: string) => refuse("ALREADY_EXISTS", { field });
