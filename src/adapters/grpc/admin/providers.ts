import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Providers } from "../../../app/admin/providers.ts";
import type { ReadSourceHealth, SourceHealth } from "../../../app/console/source-health.ts";
import type { ProviderAdminService } from "../../../gen/aggregator/admin/v1/provider_admin_service_pb.ts";
import type { ProviderSchema, SourceHealthSchema } from "../../../gen/aggregator/admin/v1/provider_pb.ts";
import type { ProviderRecord } from "../../../ports/settings-store.ts";
import { fromTimestamp, toTimestamp } from "../messages/timestamp.ts";
import { unwrap } from "../server/refusal-error.ts";
import { toKey } from "./keys.ts";
import type { AdminHandlers } from "./service.ts";

/**
 * Serves aggregator.admin.v1.ProviderAdminService.
 *
 * @param health - how sources answer launches. Only records that are read have it.
 */
export const providerHandlers = (
  providers: Providers,
  health: ReadSourceHealth,
): AdminHandlers<typeof ProviderAdminService> => ({
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
    const provider = unwrap(await providers.get(code));
    return { provider: toProvider(provider, await health.of([provider.code])) };
  },
  async listProviders(page) {
    const { items, nextCursor } = unwrap(await providers.list(page));
    const found = await health.of(items.map(({ code }) => code));
    return { providers: items.map((provider) => toProvider(provider, found)), nextCursor };
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

const toProvider = (
  { code, name, active, sources, keys }: ProviderRecord,
  healthOf?: Awaited<ReturnType<ReadSourceHealth["of"]>>,
): MessageInitShape<typeof ProviderSchema> => ({
  code,
  name,
  active,
  sources: sources.map((source) => {
    const health = healthOf?.(code, source.address);
    return { ...source, ...(health !== undefined && { health: toHealth(health) }) };
  }),
  keys: keys.map((key) => toKey({ key, provider: code, role: "" })),
});

const toHealth = ({
  opened,
  failed,
  lastOpened,
  lastFailed,
}: SourceHealth): MessageInitShape<typeof SourceHealthSchema> => ({
  opened,
  failed,
  ...(lastOpened !== null && { lastOpenedAt: toTimestamp(lastOpened.at), lastOpenedMs: lastOpened.durationMs }),
  ...(lastFailed !== null && {
    lastFailedAt: toTimestamp(lastFailed.at),
    lastFault: lastFailed.fault,
    lastFailure: lastFailed.message,
  }),
});
