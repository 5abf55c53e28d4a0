import { StoreUnavailable } from "../../../ports/store-unavailable.ts";
import type { Database } from "./database.ts";
import { rows, write } from "./execute.ts";

/**
 * Makes sure that every commit that the database acknowledged survives a power cut of its machine. If an acknowledged
 * claim were lost, there would be a wallet call without a row.
 *
 * @returns a warning for the log if the setting can't be read or this user may not change it; undefined: everything is
 *   well.
 * @throws StoreUnavailable when the database doesn't answer.
 */
export async function ensureDurable(database: Database): Promise<string | undefined> {
  const setting = database.dialect.durability;
  if (setting === null) return undefined;
  let found: unknown = "unknown";
  try {
    const [row] = await rows(database, setting.read);
    found = row?.value;
    if (Number(found) !== setting.durable) await write(database, setting.set);
    return undefined;
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    const why = error instanceof Error ? error.message : String(error);
    return `${setting.name} is ${found} and can't be set to ${setting.durable} (${why}): a power cut at the database can lose acknowledged transactions`;
  }
}
