import { isChange } from "../../domain/access/audit.ts";
import { ok, type Result, refuse } from "../../domain/errors.ts";
import type { AdminStore, AuditEntry, AuditQuery } from "../../ports/admin-store.ts";
import { type Page, type PageRequest, readPage, writeCursor } from "./page.ts";

/** How many entries are read at once, and how often for one page, to find changes among reads. */
const EXAMINED_AT_ONCE = 500;
const READS_MAX = 4;

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

  /**
   * The audit entries that match `query`, newest first.
   *
   * @param changesOnly - without reads. Such a page may be short or empty although another one follows.
   */
  async list(
    query: Omit<AuditQuery, "before">,
    changesOnly: boolean,
    pageRequest: PageRequest,
  ): Promise<Result<Page<AuditEntry>>> {
    const page = readPage("audit", pageRequest);
    if (!page.ok) return page;
    const { limit, after } = page.value;
    const before = after === null ? {} : { before: BigInt(/^\d{1,18}$/.exec(after[0] ?? "")?.[0] ?? "0") };
    if (changesOnly) return ok(await this.#changes({ ...query, ...before }, limit));
    const found = await this.#store.entries({ ...query, ...before }, limit + 1);
    const items = found.slice(0, limit);
    return ok({ items, nextCursor: found.length > limit ? cursorOf(items.at(-1)) : "" });
  }

  async #changes(query: AuditQuery, limit: number): Promise<Page<AuditEntry>> {
    const items: AuditEntry[] = [];
    let last: AuditEntry | undefined;
    for (let reads = 0; reads < READS_MAX; reads++) {
      const from = last === undefined ? query : { ...query, before: last.id };
      const found = await this.#store.entries(from, EXAMINED_AT_ONCE);
      for (const entry of found) {
        if (isChange(entry.action)) {
          if (items.length === limit) return { items, nextCursor: cursorOf(last) };
          items.push(entry);
        }
        last = entry;
      }
      if (found.length < EXAMINED_AT_ONCE) return { items, nextCursor: "" };
    }
    return { items, nextCursor: cursorOf(last) };
  }
}

const cursorOf = (last: AuditEntry | undefined): string => writeCursor("audit", [String(last?.id)]);
