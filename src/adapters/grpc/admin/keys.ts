import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Keys, KeyWithOwner } from "../../../app/admin/keys.ts";
import type { KeyAdminService } from "../../../gen/aggregator/admin/v1/key_admin_service_pb.ts";
import type { KeySchema } from "../../../gen/aggregator/admin/v1/key_pb.ts";
import { fromTimestamp, toTimestamp } from "../messages/timestamp.ts";
import { unwrap } from "../server/refusal-error.ts";
import type { AdminHandlers } from "./service.ts";

/** Serves aggregator.admin.v1.KeyAdminService. */
export const keyHandlers = (keys: Keys): AdminHandlers<typeof KeyAdminService> => ({
  async createKey({ reason, expiresAt, ...others }, caller) {
    const fields = { ...others, expiresAt: fromTimestamp("expires_at", expiresAt) ?? null };
    const { held, text } = unwrap(await keys.create({ ...caller, reason }, fields));
    return { record: toKey(held), key: text };
  },
  async revokeKey({ name, provider, reason }, caller) {
    return { record: toKey(unwrap(await keys.revoke({ ...caller, reason }, provider, name))) };
  },
  async getKey({ name, provider }) {
    return { record: toKey(unwrap(await keys.get(provider, name))) };
  },
  async listKeys({ provider, role, ...page }) {
    const { items, nextCursor } = unwrap(await keys.list(provider, role, page));
    return { keys: items.map(toKey), nextCursor };
  },
  async rotateMasterKey({ reason }, caller) {
    const { resealed, total } = unwrap(await keys.rotateMaster({ ...caller, reason }));
    return { reencrypted: resealed, total };
  },
});

/** A key without its hash. */
export const toKey = ({
  key: { name, expiresAt, revoked },
  provider,
  role,
}: KeyWithOwner): MessageInitShape<typeof KeySchema> => ({
  name,
  provider,
  role,
  revoked,
  ...(expiresAt === null ? {} : { expiresAt: toTimestamp(expiresAt) }),
});
