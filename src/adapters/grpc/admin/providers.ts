import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Providers } from "../../../app/admin/providers.ts";
import type { ProviderAdminService } from "../../../gen/aggregator/admin/v1/provider_admin_service_pb.ts";
import type { ProviderSchema } from "../../../gen/aggregator/admin/v1/provider_pb.ts";
import type { ProviderRecord } from "../../../ports/settings-store.ts";
import { fromTimestamp } from "../messages/timestamp.ts";
import { unwrap } from "../server/refusal-error.ts";
import { toKey } from "./keys.ts";
import type { AdminHandlers } from "./service.ts";

/** Serves aggregator.admin.v1.ProviderAdminService. */
export const providerHandlers = (providers: Providers): AdminHandlers<typeof ProviderAdminService> => ({
  async createProvider({ code, name, active, reason }, caller) {
    const { provider, key } = unwrap(
      await providers.create({ ...caller, reason }, code, { name: name || undefined, active }),
    );
    return { provider: toProvider(provider), key };
  },
  async setProvider({ code, reason, ...fields }, caller) {
    return { provider: toProvider(unwrap(await providers.set({ ...caller, reason }, code, fields))) };
  },
  async getProvider({ code }) {
    return { provider: toProvider(unwrap(await providers.get(code))) };
  },
  async listProviders(page) {
    const { items, nextCursor } = unwrap(await providers.list(page));
    return { providers: items.map(toProvider), nextCursor };
  },
  async rotateProviderKey({ code, name, expiresAt, reason }, caller) {
    const { provider, key } = unwrap(
      await providers.rotateKey({ ...caller, reason }, code, {
        name,
        expiresAt: fromTimestamp("expires_at", expiresAt) ?? null,
      }),
    );
    return { provider: toProvider(provider), key };
  },
  async addSource({ code, reason, ...source }, caller) {
    return { provider: toProvider(unwrap(await providers.addSource({ ...caller, reason }, code, source))) };
  },
  async removeSource({ code, address, reason }, caller) {
    return { provider: toProvider(unwrap(await providers.removeSource({ ...caller, reason }, code, address))) };
  },
});

const toProvider = ({
  code,
  name,
  active,
  sources,
  keys,
}: ProviderRecord): MessageInitShape<typeof ProviderSchema> => ({
  code,
  name,
  active,
  sources: sources.map((source) => ({ ...source })),
  keys: keys.map((key) => toKey({ key, provider: code, role: "" })),
});
