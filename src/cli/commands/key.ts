import { ROLES } from "../../domain/access/role.ts";
import { KeySchema } from "../../gen/aggregator/admin/v1/key_pb.ts";
import { choice, required, text, time } from "../arguments/flag.ts";
import { command, type Noun } from "../command.ts";
import { listOutput, recordOutput } from "../output/command-output.ts";
import { cursor, limit, reason } from "./common-flags.ts";

const name = text("name", "The key's name: 1 to 64 characters of A-Z a-z 0-9 . _ and -", "ana");
const role = choice("What an admin key may do", ...ROLES);
const which = {
  name: required(name),
  provider: text("code", "The code of the key's provider. Without this flag the key is an admin key", "ACME"),
};

export const key: Noun = {
  summary: "API keys of providers, admin keys, and the keys that encrypt merchants' secrets",
  verbs: {
    create: command({
      summary: "Creates a further key of a provider, or an admin key, and shows it, only once",
      notes:
        "A viewer reads the records. Support also reads and resends transactions. A manager changes everything except admin keys. An owner also changes admin keys. A key with the role owner needs a reason.",
      flags: {
        provider: text("code", "Create a further key of this provider", "ACME"),
        role: { ...role, help: "Create an admin key with this role" },
        name: { ...name, help: `${name.help}; the next free of key-1, key-2 ... by default` },
        expiresAt: time(
          "The time from which the key is invalid. By default the key never expires",
          "2030-01-31T00:00:00Z",
        ),
        reason,
      },
      check: (given) =>
        "provider" in given === "role" in given
          ? "Give one of --provider (a further key of that provider) and --role (an admin key): key create --role viewer, for example."
          : undefined,
      examples: ["--provider ACME --name second", "--role support --name ana --expires-at 2030-01-31"],
      run: async (api, given) => {
        const { record, key: value } = await api.key.createKey(given);
        return recordOutput(KeySchema, record, {
          sentence: `Made the key ${record?.name}.`,
          once: { name: "key", value, replacedBy: "key revoke, then key create" },
        });
      },
    }),
    revoke: command({
      summary: "Ends a key for ever",
      flags: { ...which, reason: required(reason) },
      examples: ["--name ana --reason 'left the team'", "--provider ACME --name second --reason 'replaced by third'"],
      run: async (api, given) =>
        recordOutput(KeySchema, (await api.key.revokeKey(given)).record, { sentence: `The key ${given.name} ended.` }),
    }),
    show: command({
      summary: "Shows a key without its text, because the text is not stored",
      flags: which,
      examples: ["--name ana", "--provider ACME --name key-1"],
      run: async (api, given) => recordOutput(KeySchema, (await api.key.getKey(given)).record),
    }),
    list: command({
      summary: "Lists admin keys, then providers' keys, also revoked and expired ones",
      flags: {
        provider: text("code", "Only keys of this provider", "ACME"),
        role: { ...role, help: "Only admin keys of this role" },
        limit: limit(100, 500),
        cursor,
      },
      examples: ["", "--provider ACME"],
      run: async (api, given) => {
        const { keys, nextCursor } = await api.key.listKeys(given);
        return listOutput(KeySchema, keys, nextCursor, ["name", "provider", "role", "expires_at", "revoked"]);
      },
    }),
    "rotate-master": command({
      summary: "Encrypts every merchant secret anew with the first key of MASTER_KEY",
      notes:
        "Before this, put the new key first on every replica (MASTER_KEY=new,old). Afterwards, remove the old key.",
      flags: { reason },
      examples: ["--reason 'yearly rotation'"],
      run: async (api, given) => {
        const { reencrypted, total } = await api.key.rotateMasterKey(given);
        return {
          kind: "record",
          sentence: "Every merchant secret is encrypted with the first key of MASTER_KEY.",
          record: { reencrypted, total },
        };
      },
    }),
  },
};
