import type { DescMessage, JsonObject, MessageShape } from "@bufbuild/protobuf";
import { plain } from "./plain.ts";

/** A secret value that is shown only once. Nothing stores it. */
export interface ShownOnce {
  /** A merchant has a `secret`. A provider or an employee has a `key`. */
  readonly name: "secret" | "key";
  readonly value: string;
  /** The command that creates a new value if this one is lost. */
  readonly replacedBy: string;
}

export interface RecordOutput {
  readonly kind: "record";
  /** The whole record, as --json prints it. */
  readonly record: JsonObject;
  /** A sentence for people about what was done. */
  readonly sentence?: string;
  /** If true, people see only this sentence. */
  readonly brief?: boolean;
  /** The record in a form for people, if it differs from `record`. */
  readonly readable?: (record: JsonObject) => JsonObject;
  /** The lists in the record that people see as tables below it: the columns of each, by the name of the field. */
  readonly tables?: Readonly<Record<string, readonly string[]>>;
  readonly once?: ShownOnce;
  /** The reasons why not everything was done. They are printed to stderr, and the exit code is 1. */
  readonly faults?: readonly string[];
}

export interface ListOutput {
  readonly kind: "list";
  /** The whole records, as --json prints them. */
  readonly items: readonly JsonObject[];
  /** The fields that people see, in this order. */
  readonly columns: readonly string[];
  readonly readable?: (record: JsonObject) => JsonObject;
  /** The cursor of the next page; null: this is the last page. */
  readonly nextCursor: string | null;
}

/** The result of a command. The renderer decides how to print it. */
export type CommandOutput = RecordOutput | ListOutput;

/** Builds the result that shows one record of a reply. */
export const recordOutput = <D extends DescMessage>(
  schema: D,
  message: MessageShape<D> | undefined,
  more: Omit<RecordOutput, "kind" | "record"> = {},
): RecordOutput => ({
  kind: "record",
  record: plain(schema, message),
  ...more,
});

/** Builds the result that shows a page of a reply's records. */
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
