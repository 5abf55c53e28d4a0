import { StoreUnavailable } from "../../../ports/store-unavailable.ts";
import type { DurabilitySetting } from "../dialects/dialect.ts";
import type { Database } from "./database.ts";
import { byDriver } from "./driver.ts";
import { rows } from "./execute.ts";

/**
 * Makes sure that every commit that the database acknowledged survives a power cut of its machine. If an acknowledged
 * claim were lost, there would be a wallet call without a row.
 *
 * @returns a warning for the log if a setting can't be read or this user may not change it; undefined: everything is
 *   well.
 * @throws StoreUnavailable when the database doesn't answer.
 */
export async function ensureDurable(database: Database): Promise<string | undefined> {
  const faults: string[] = [];
  for (const setting of database.dialect.durability) {
    const fault = await ensure(database, setting);
    if (fault !== undefined) faults.push(fault);
  }
  return faults.length === 0
    ? undefined
    : `${faults.join("; ")}: a power cut at the database can lose acknowledged transactions`;
}

async function ensure(
  database: Database,
  { name, durable, read, set }: DurabilitySetting,
): Promise<string | undefined> {
  const { knex, dialect } = database;
  const value = async (): Promise<unknown> => (await rows(database, read))[0]?.value;
  let found: unknown = "unknown";
  try {
    found = await value();
    if (Number(found) === durable) return undefined;
    await byDriver(knex, dialect, set);
    // A proxy before the server may answer without passing the statement on.
    found = await value();
    return Number(found) === durable ? undefined : `${name} is still ${found} after it was set to ${durable}`;
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    const why = error instanceof Error ? error.message : String(error);
    return `${name} is ${found} and can't be set to ${durable} (${why})`;
  }
}
