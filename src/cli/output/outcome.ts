import type { DescMessage, JsonObject, MessageShape } from "@bufbuild/protobuf";
import { plain } from "./plain.ts";

/** What is shown once and kept nowhere. */
export interface ShownOnce {
  /** `secret` of a merchant, `key` of anyone else. */
  readonly name: "secret" | "key";
  readonly value: string;
  /** The command that makes another one when this is lost. */
  readonly replacedBy: string;
}

export interface RecordShown {
  readonly kind: "record";
  /** Machines get all of it. */
  readonly record: JsonObject;
  /** What was done, in a sentence for people. */
  readonly said?: string;
  /** That sentence is all that people see. */
  readonly brief?: boolean;
  /** The record as people read it, when that differs. */
  readonly readable?: (record: JsonObject) => JsonObject;
  /** Lists inside of the record that people see as tables below it: the name of the field, and the columns. */
  readonly tables?: Readonly<Record<string, readonly string[]>>;
  readonly once?: ShownOnce;
  /** Nothing or not all was done: these go to stderr, and the exit code is 1. */
  readonly faults?: readonly string[];
}

export interface ListShown {
  readonly kind: "list";
  /** Machines get all of them. */
  readonly items: readonly JsonObject[];
  /** The fields that people see, in their order. */
  readonly columns: readonly string[];
  readonly readable?: (record: JsonObject) => JsonObject;
  /** Where the list goes on; null: this is all. */
  readonly nextCursor: string | null;
}

/** What a command has to show; how is the renderer's matter. */
export type Outcome = RecordShown | ListShown;

/** A record of a reply. */
export const shown = <D extends DescMessage>(
  schema: D,
  message: MessageShape<D> | undefined,
  more: Omit<RecordShown, "kind" | "record"> = {},
): RecordShown => ({
  kind: "record",
  record: plain(schema, message),
  ...more,
});

/** A page of records of a reply. */
export const listed = <D extends DescMessage>(
  schema: D,
  messages: readonly MessageShape<D>[],
  nextCursor: string,
  columns: readonly string[],
  readable?: (record: JsonObject) => JsonObject,
): ListShown => ({
  kind: "list",
  items: messages.map((message) => plain(schema, message)),
  columns,
  nextCursor: nextCursor === "" ? null : nextCursor,
  ...(readable && { readable }),
});
