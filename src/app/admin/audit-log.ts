import { ok, type Result, refuse } from "../../domain/errors.ts";
import type { AdminStore, AuditEntry, AuditQuery } from "../../ports/admin-store.ts";
import { type Page, type PageRequest, readPage, writeCursor } from "./page.ts";

/** Reads the audit log. */
export class AuditLog {
  readonly #store: AdminStore;

  constructor(store: AdminStore) {
    this.#store = store;
  }

  async get(id: bigint): Promise<Result<AuditEntry>> {
    const entry = await this.#store.entry(id);
    return entry === undefined ? refuse("RECORD_NOT_FOUND", { field: "id" }) : ok(entry);
  }

  /** The audit entries that match `query`, newest first. */
  async list(query: Omit<AuditQuery, "before">, pageRequest: PageRequest): Promise<Result<Page<AuditEntry>>> {
    const page = readPage("audit", pageRequest);
    if (!page.ok) return page;
    const { limit, after } = page.value;
    const before = after === null ? {} : { before: BigInt(/^\d{1,18}$/.exec(after[0] ?? "")?.[0] ?? "0") };
    const found = await this.#store.entries({ ...query, ...before }, limit + 1);
    const items = found.slice(0, limit);
    return ok({ items, nextCursor: found.length > limit ? writeCursor("audit", [String(items.at(-1)?.id)]) : "" });
  }
}
