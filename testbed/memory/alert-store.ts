import type { DbTime } from "../../src/domain/transaction/transaction.ts";
import type { AlertName } from "../../src/ports/telemetry.ts";
import { type AlertKey, type AlertLine, AlertStore, type OpenAlert } from "../../src/ports/transactions/alert-store.ts";

interface Held extends OpenAlert {
  readonly endsAt: DbTime | null;
}

/** Open alerts in one process, for tests. It writes no audit log. */
export class MemoryAlertStore extends AlertStore {
  readonly #now: () => DbTime;
  readonly #rows = new Map<string, Held>();

  constructor(now: () => DbTime) {
    super();
    this.#now = now;
  }

  override async add(lines: readonly AlertLine[]): Promise<void> {
    const now = this.#now();
    for (const { firstAgoMs, lastAgoMs, lastsMs, ...line } of lines) {
      const known = this.#rows.get(keyOf(line));
      this.#rows.set(keyOf(line), {
        ...line,
        firstAt: known?.firstAt ?? now - firstAgoMs,
        lastAt: Math.max(known?.lastAt ?? 0, now - lastAgoMs),
        count: (known?.count ?? 0) + line.count,
        endsAt: lastsMs === null ? null : now + lastsMs,
      });
    }
  }

  override async extend(keys: readonly AlertKey[], lastsMs: number): Promise<void> {
    for (const key of keys) {
      const known = this.#rows.get(keyOf(key));
      if (known !== undefined) this.#rows.set(keyOf(key), { ...known, endsAt: this.#now() + lastsMs });
    }
  }

  override async list(limit: number): Promise<OpenAlert[]> {
    return [...this.#rows.values()]
      .sort((a, b) => b.lastAt - a.lastAt || (keyOf(a) > keyOf(b) ? -1 : 1))
      .slice(0, limit)
      .map(toOpen);
  }

  override async quiet(name: AlertName, quietMs: number, after: string, limit: number): Promise<OpenAlert[]> {
    const until = this.#now() - quietMs;
    return [...this.#rows.values()]
      .filter((row) => row.name === name && row.subject > after && row.lastAt <= until)
      .sort((a, b) => (a.subject < b.subject ? -1 : 1))
      .slice(0, limit)
      .map(toOpen);
  }

  override async close(key: AlertKey, lastAt: DbTime): Promise<void> {
    await this.acknowledge(key, lastAt);
  }

  override async acknowledge(key: AlertKey, lastAt: DbTime): Promise<boolean> {
    const known = this.#rows.get(keyOf(key));
    return known !== undefined && known.lastAt <= lastAt && this.#rows.delete(keyOf(key));
  }

  override async forget(limit: number): Promise<number> {
    const now = this.#now();
    const over = [...this.#rows].filter(([, { endsAt }]) => endsAt !== null && endsAt <= now).slice(0, limit);
    for (const [key] of over) this.#rows.delete(key);
    return over.length;
  }
}

const keyOf = ({ name, subject }: AlertKey): string => `${name} ${subject}`;
const toOpen = ({ endsAt: _, ...alert }: Held): OpenAlert => alert;
