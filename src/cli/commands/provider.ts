import type { JsonObject } from "@bufbuild/protobuf";
import { type Provider, ProviderSchema } from "../../gen/aggregator/admin/v1/provider_pb.ts";
import { boolean, integer, required, text, time } from "../arguments/flag.ts";
import { command, type Noun } from "../command.ts";
import { listOutput, type RecordOutput, recordOutput, type ShownOnce } from "../output/command-output.ts";
import { cursor, limit, reason, somethingTo } from "./common-flags.ts";

const code = required(
  text("code", "The provider's code: 2 to 32 characters of A-Z 0-9 and _. It never changes", "ACME"),
);
const name = text("name", "A name for people, up to 255 characters", "'Acme Games'");
const active = boolean("Whether the provider's games can be launched. Its transactions are always accepted");
const address = required(
  text(
    "address",
    "The address of a gRPC server that opens the provider's games: https://host:port, or http:// without TLS. It must be public, unless the service has PROVIDER_ALLOW_PRIVATE",
    "https://games.acme.example:443",
  ),
);

const keyOf = (provider: string, value: string): ShownOnce => ({
  name: "key",
  value,
  replacedBy: `provider rotate-key --code ${provider} --reason 'the key was lost'`,
});

const shownProvider = (
  provider: Provider | undefined,
  more: Pick<RecordOutput, "sentence" | "once"> = {},
): RecordOutput =>
  recordOutput(ProviderSchema, provider, {
    tables: { sources: ["address", "deadline_ms", "enabled"], keys: ["name", "expires_at", "revoked"] },
    ...more,
  });

/**
 * The entry of a provider in a list: instead of its sources and keys it has their numbers. Revoked keys do not count.
 */
const counted = ({ sources, keys, ...all }: JsonObject): JsonObject => ({
  ...all,
  sources: (sources as unknown[]).length,
  keys: (keys as { revoked: boolean }[]).filter((key) => !key.revoked).length,
});

export const provider: Noun = {
  summary: "The makers of the games, with their sources and API keys",
  verbs: {
    create: command({
      summary: "Creates a provider and shows its first API key, only once",
      notes: "Its games can be launched when it has a source (provider add-source) and games (game import).",
      flags: { code, name, active, reason },
      examples: ["--code ACME --name 'Acme Games'"],
      run: async (api, given) => {
        const made = await api.provider.createProvider(given);
        return shownProvider(made.provider, {
          sentence: `Made the provider ${given.code}.`,
          once: keyOf(given.code, made.key),
        });
      },
    }),
    set: command({
      summary: "Changes the given fields of a provider",
      notes: "--active false needs a reason.",
      flags: { code, name, active, reason },
      check: somethingTo(["name", "active"], "--active false, for example"),
      examples: ["--code ACME --active false --reason 'maintenance'"],
      run: async (api, given) =>
        shownProvider((await api.provider.setProvider(given)).provider, {
          sentence: `Changed the provider ${given.code}.`,
        }),
    }),
    show: command({
      summary: "Shows a provider with its sources and keys",
      flags: { code },
      examples: ["--code ACME"],
      run: async (api, given) => shownProvider((await api.provider.getProvider(given)).provider),
    }),
    list: command({
      summary: "Lists providers by code",
      flags: { limit: limit(100, 500), cursor },
      examples: [""],
      run: async (api, given) => {
        const { providers, nextCursor } = await api.provider.listProviders(given);
        return listOutput(
          ProviderSchema,
          providers,
          nextCursor,
          ["code", "name", "active", "sources", "keys"],
          counted,
        );
      },
    }),
    "rotate-key": command({
      summary: "Creates a new API key that replaces all others, and shows it, only once",
      notes:
        "The other keys end at once. To keep an old key during the change, use key create --provider, and later key revoke.",
      flags: {
        code,
        name: text("name", "The new key's name. The default is the next unused name of key-1, key-2 and so on", "2026"),
        expiresAt: time(
          "The time from which the key is invalid. By default the key never expires",
          "2030-01-31T00:00:00Z",
        ),
        reason: required(reason),
      },
      examples: ["--code ACME --reason 'yearly rotation'", "--code SPORTSBOOK --reason 'its first key'"],
      run: async (api, given) => {
        const made = await api.provider.rotateProviderKey(given);
        return shownProvider(made.provider, {
          sentence: `The provider ${given.code} has a new key. Its other keys are no longer valid.`,
          once: keyOf(given.code, made.key),
        });
      },
    }),
    "add-source": command({
      summary: "Adds a source: a gRPC server that opens the provider's games",
      notes:
        "If the provider has a source with this address, the command changes it. A launch tries the sources in order until one opens the game.",
      flags: {
        code,
        address,
        deadlineMs: integer("The maximum time to open a game, 100 to 9000 ms. The default is 5000", 5000, 100, 9000),
        enabled: boolean("Whether launches use this source. The default is true"),
        position: integer(
          "The source's position in the order of the sources, from 1. The default is the last position",
          1,
          1,
          1000,
        ),
        reason,
      },
      examples: [
        "--code ACME --address https://games.acme.example:443 --deadline-ms 5000",
        "--code ACME --address http://127.0.0.1:7001 --position 1",
      ],
      run: async (api, given) =>
        shownProvider((await api.provider.addSource(given)).provider, {
          sentence: `The provider ${given.code} has the source ${given.address}.`,
        }),
    }),
    "remove-source": command({
      summary: "Removes a source",
      flags: { code, address, reason },
      examples: ["--code ACME --address https://games.acme.example:443"],
      run: async (api, given) =>
        shownProvider((await api.provider.removeSource(given)).provider, {
          sentence: `The provider ${given.code} no longer has the source ${given.address}.`,
        }),
    }),
  },
};
