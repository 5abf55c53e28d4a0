import { StoreUnavailable } from "../../../ports/store-unavailable.ts";
import type { Database } from "./database.ts";
import { byDriver } from "./driver.ts";
import { isTimeout } from "./failure.ts";
import { repeating } from "./retry.ts";

/** SQL text with `?` for each binding. */
export interface Statement {
  readonly sql: string;
  readonly bindings: readonly Binding[];
  /** The same text comes again and again: a server that can keeps it parsed. Its integers may then arrive as doubles or as text. */
  readonly recurs?: boolean;
}

export type Binding = string | number | bigint | Buffer | null;

/** Rows as the driver gives them. */
export type Row = Readonly<Record<string, unknown>>;

export interface Written {
  /** Rows that the statement inserted or changed. */
  readonly affected: number;
  /** Every try but the last certainly did nothing, so `affected` counts all of it. */
  readonly certain: boolean;
}

/**
 * One autocommit statement that may be repeated: its own conditions make a second run harmless. Deadlocks and lost connections
 * are repeated after a jittered pause; anything else is thrown, and so is what still fails at the last try.
 */
export async function write({ knex, dialect }: Database, statement: Statement): Promise<Written> {
  let certain = true;
  const { affected } = await repeating(
    () => byDriver(knex, dialect, statement),
    () => {
      certain = false;
    },
  );
  return { affected, certain };
}

/** A read that decides. */
export async function decisiveRows({ decisive, dialect }: Database, statement: Statement): Promise<readonly Row[]> {
  return (await repeating(() => byDriver(decisive, dialect, statement))).rows;
}

/** So long after its limit the server's word that it ended a read has come. */
const WORD_MS = 2_000;

/** A read of many rows. One that takes too long is not repeated, or the server would soon do nothing else. */
export async function selectedRows({ selecting, selectingLimitMs, dialect }: Database, statement: Statement): Promise<readonly Row[]> {
  const read = () =>
    byDriver(selecting, dialect, statement, selectingLimitMs + WORD_MS).catch((cause) => {
      throw isTimeout(cause) ? new StoreUnavailable("the read took too long", { cause }) : cause;
    });
  return (await repeating(read)).rows;
}

/** A read for which a moment's staleness is harmless. */
export async function rows({ knex, dialect }: Database, statement: Statement): Promise<readonly Row[]> {
  return (await repeating(() => byDriver(knex, dialect, statement))).rows;
}
