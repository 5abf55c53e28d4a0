import type { Clock } from "../../../ports/clock.ts";
import { StoreUnavailable } from "../../../ports/store-unavailable.ts";
import type { Telemetry } from "../../../ports/telemetry.ts";
import type { ServerFault } from "../dialects/dialect.ts";
import type { Database } from "./database.ts";
import { byDriver } from "./driver.ts";
import { rows } from "./execute.ts";

/** How often the alert is raised while the fault goes on. */
const RAISED_EVERY_MS = 60_000;

/**
 * Watches the settings of the server that stores the rows. If an acknowledged claim were lost, there would be a wallet
 * call without a row.
 */
export class ServerWatch {
  readonly #database: Database;
  readonly #telemetry: Pick<Telemetry, "alert" | "error">;
  readonly #clock: Pick<Clock, "monotonic">;
  #fault: string | undefined;
  #raisedAt = Number.NEGATIVE_INFINITY;

  constructor(database: Database, telemetry: Pick<Telemetry, "alert" | "error">, clock: Pick<Clock, "monotonic">) {
    this.#database = database;
    this.#telemetry = telemetry;
    this.#clock = clock;
  }

  /** Whether the last check found a fault. */
  get hasFault(): boolean {
    return this.#fault !== undefined;
  }

  /**
   * Sets what can be set. Logs each new fault, and raises an alert as long as there is one.
   *
   * @throws StoreUnavailable when the database doesn't answer. Then the last fault stays.
   */
  async check(): Promise<void> {
    const fault = await serverFault(this.#database);
    const now = this.#clock.monotonic();
    const isNew = fault !== this.#fault;
    this.#fault = fault;
    if (fault === undefined || !(isNew || now - this.#raisedAt >= RAISED_EVERY_MS)) return;
    this.#raisedAt = now;
    if (isNew) this.#telemetry.error("the database's settings are not safe", new Error(fault));
    this.#telemetry.alert("database_unsafe", { why: fault });
  }
}

/**
 * What is wrong with the server's settings, after everything has been set that this user may set.
 *
 * @returns a text for the operator; undefined: everything is well.
 * @throws StoreUnavailable when the database doesn't answer.
 */
export async function serverFault(database: Database): Promise<string | undefined> {
  const { dialect } = database;
  const read = () => dialect.serverFaults((statement) => rows(database, statement));
  try {
    const found = await read();
    const refused = new Map<string, string>();
    for (const fault of found) await set(database, fault, refused);
    return told(found.some((fault) => fault.set) ? await read() : found, refused);
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    return `the settings of the database's server cannot be read (${textOf(error)}): it is not known whether acknowledged transactions are safe`;
  }
}

/** Sets a setting, if that is possible. Notes why it failed. */
async function set({ knex, dialect }: Database, fault: ServerFault, refused: Map<string, string>): Promise<void> {
  if (fault.set === undefined) return;
  try {
    await byDriver(knex, dialect, fault.set);
  } catch (error) {
    refused.set(fault.name, textOf(error));
  }
}

/** The faults as one text, with the ones of the same risk together. */
function told(faults: readonly ServerFault[], refused: ReadonlyMap<string, string>): string | undefined {
  const sentences = [...Map.groupBy(faults, ({ risk }) => risk)].map(([risk, all]) => {
    const each = all.map(({ name, found, wanted, set }) => {
      if (set === undefined) return `${name} is ${found}, but it must be ${wanted}`;
      const why = refused.get(name);
      // A proxy before the server may answer without passing the statement on.
      if (why === undefined) return `${name} is still ${found} after it was set to ${wanted}`;
      return `${name} is ${found} and can't be set to ${wanted} (${why})`;
    });
    return `${each.join("; ")}: ${risk}`;
  });
  return sentences.length === 0 ? undefined : sentences.join(". ");
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
