import type { MessageInitShape } from "@bufbuild/protobuf";
import type { AuditLog } from "../../../app/admin/audit-log.ts";
import type { FieldChange } from "../../../domain/access/audit.ts";
import type { AuditChangeSchema, AuditEntrySchema } from "../../../gen/aggregator/admin/v1/audit_entry_pb.ts";
import type { AuditService } from "../../../gen/aggregator/admin/v1/audit_service_pb.ts";
import type { AuditEntry } from "../../../ports/admin-store.ts";
import { fromTimestamp, toTimestamp } from "../messages/timestamp.ts";
import { unwrap } from "../server/refusal-error.ts";
import type { AdminHandlers } from "./service.ts";

/** ListAuditEntries cuts values to this many characters. GetAuditEntry shows them whole. */
export const LISTED_MAX = 1_024;

/** Serves aggregator.admin.v1.AuditService. */
export const auditHandlers = (log: AuditLog): AdminHandlers<typeof AuditService> => ({
  async getAuditEntry({ id }) {
    return { entry: toEntry(unwrap(await log.get(id)), Number.POSITIVE_INFINITY) };
  },
  async listAuditEntries({ from, to, actor, action, target, changesOnly, ...page }) {
    const query = {
      from: fromTimestamp("from", from),
      to: fromTimestamp("to", to),
      actor: actor || undefined,
      action: action || undefined,
      target: target || undefined,
    };
    const { items, nextCursor } = unwrap(await log.list(query, changesOnly, page));
    return { entries: items.map((entry) => toEntry(entry, LISTED_MAX)), nextCursor };
  },
});

/** @param valueMax - values are shortened to this many characters. */
export function toEntry(
  { id, at, actor, action, target, reason, changes }: AuditEntry,
  valueMax: number,
): MessageInitShape<typeof AuditEntrySchema> {
  return {
    id,
    actor,
    action,
    target,
    at: toTimestamp(at),
    reason: reason ?? "",
    changes: toChanges(changes, valueMax),
  };
}

/** @param valueMax - values are shortened to this many characters. */
export function toChanges(
  changes: readonly FieldChange[],
  valueMax: number,
): MessageInitShape<typeof AuditChangeSchema>[] {
  const json = (value: unknown): string => {
    const text = value === undefined ? "" : JSON.stringify(value);
    return text.length > valueMax ? `${text.slice(0, valueMax)}…` : text;
  };
  return changes.map(({ field, from, to }) => ({ field, from: json(from), to: json(to) }));
}
