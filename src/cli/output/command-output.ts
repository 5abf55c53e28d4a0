import type { DescMessage, JsonObject, MessageShape } from "@bufbuild/protobuf";
import { plain } from "./plain.ts";

/** A value that is shown once and stored nowhere. */
export interface ShownOnce {
  /** A merchant has a `secret`; a provider or an employee has a `key`. */
  readonly name: "secret" | "key";
  readonly value: string;
  /** The command that makes a new one when this one is lost. */
  readonly replacedBy: string;
}

export interface RecordOutput {
  readonly kind: "record";
  /** The whole record, as --json prints it. */
  readonly record: JsonObject;
  /** A sentence for people that says what was done. */
  readonly sentence?: string;
  /** Whether people see only that sentence. */
  readonly brief?: boolean;
  /** The record as people read it, when that differs. */
  readonly readable?: (record: JsonObject) => JsonObject;
  /** The lists inside the record that people see as tables below it: the columns by the name of the field. */
  readonly tables?: Readonly<Record<string, readonly string[]>>;
  readonly once?: ShownOnce;
  /** The reasons why not everything was done. They go to stderr, and the exit code is 1. */
  readonly faults?: readonly string[];
}

export interface ListOutput {
  readonly kind: "list";
  /** The whole records, as --json prints them. */
  readonly items: readonly JsonObject[];
  /** The fields that people see, in their order. */
  readonly columns: readonly string[];
  readonly readable?: (record: JsonObject) => JsonObject;
  /** The cursor of the next page; null: this is the last page. */
  readonly nextCursor: string | null;
}

/** The result of a command. The renderer decides how to print it. */
export type CommandOutput = RecordOutput | ListOutput;

/** Makes the result that shows a record of a reply. */
export const recordOutput = <D extends DescMessage>(
  schema: D,
  message: MessageShape<D> | undefined,
  more: Omit<RecordOutput, "kind" | "record"> = {},
): RecordOutput => ({
  kind: "record",
  record: plain(schema, message),
  ...more,
});

/** Makes the result that shows a page of records of a reply. */
export const listOutput = <D extends DescMessage>(
  schema: D,
  messages: readonly MessageShape<D>[],
  nextCursor: string,
  columns: readonly string[],
  readable?: (record: JsonObject) => JsonObject,
): ListOutput => ({
  kind: "list",
  items: messages.map((message) => plain(schema, message)),
  columns,
  nextCursor: nextCursor === "" ? null : nextCursor,
  ...(readable && { readable }),
});
