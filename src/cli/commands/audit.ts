import { AuditEntrySchema } from "../../gen/aggregator/admin/v1/audit_entry_pb.ts";
import { integer, required, text, time } from "../arguments/flag.ts";
import { command, type Noun } from "../command.ts";
import { listOutput, recordOutput } from "../output/command-output.ts";
import { cursor, limit } from "./common-flags.ts";

export const audit: Noun = {
  summary: "The audit log: who changed or read what, when and why",
  verbs: {
    list: command({
      summary: "Lists entries, newest first",
      flags: {
        from: time("Only entries at or after this time", "2026-01-31"),
        to: time("Only entries before this time", "2026-02-01"),
        actor: text(
          "name",
          "Only entries of the admin key with this name. The key of the service's variable ADMIN_KEY has the name ADMIN_KEY",
          "ana",
        ),
        action: text("command", "Only entries of this command, or of all commands of a noun", "'merchant set'"),
        target: text("target", "Only entries about exactly this noun and code", "'merchant shop-brl'"),
        limit: limit(100, 500),
        cursor,
      },
      examples: ["", "--action 'merchant set' --from 2026-01-01", "--target 'merchant shop-brl' --json"],
      run: async (api, given) => {
        const { entries, nextCursor } = await api.audit.listAuditEntries(given);
        return listOutput(AuditEntrySchema, entries, nextCursor, ["id", "at", "actor", "action", "target", "reason"]);
      },
    }),
    show: command({
      summary: "Shows an entry with the changed fields",
      flags: { id: required(integer("The entry's number", 17, 1, 999_999_999_999)) },
      examples: ["--id 17"],
      run: async (api, given) =>
        recordOutput(AuditEntrySchema, (await api.audit.getAuditEntry({ id: BigInt(given.id) })).entry, {
          tables: { changes: ["field", "from", "to"] },
        }),
    }),
  },
};
