import {
  type DescField,
  type DescMessage,
  isMessage,
  type JsonObject,
  type JsonValue,
  type Message,
  type MessageShape,
} from "@bufbuild/protobuf";
import { TimestampSchema, timestampDate } from "@bufbuild/protobuf/wkt";
import { GameNamesSchema } from "../../gen/aggregator/admin/v1/game_pb.ts";
import { StringListSchema } from "../../gen/aggregator/admin/v1/string_list_pb.ts";

/**
 * A record as --json prints it: all fields by their names in the proto. Absent and empty fields are null, times are RFC
 * 3339, and 64-bit numbers are JSON numbers, which are exact for all values that occur.
 *
 * @param message - undefined: a message that every reply must have is missing
 */
export function plain<D extends DescMessage>(schema: D, message: MessageShape<D> | undefined): JsonObject {
  if (message === undefined) throw new Error(`a reply without its ${schema.name}`);
  const values = message as unknown as Readonly<Record<string, unknown>>;
  return Object.fromEntries(schema.fields.map((field) => [field.name, fieldValue(field, values[field.localName])]));
}

function fieldValue(field: DescField, value: unknown): JsonValue {
  if (value === undefined || value === "") return null;
  if (Array.isArray(value))
    return value.map((item) =>
      field.fieldKind === "list" && field.listKind === "message" ? messageValue(field.message, item) : item,
    );
  if (field.fieldKind === "message") return messageValue(field.message, value as Message);
  return typeof value === "bigint" ? Number(value) : (value as JsonValue);
}

function messageValue(schema: DescMessage, value: Message): JsonValue {
  if (isMessage(value, TimestampSchema)) return timestampDate(value).toISOString();
  if (isMessage(value, StringListSchema) || isMessage(value, GameNamesSchema)) return value.values;
  // The generated code already represents google.protobuf.Struct as plain JSON.
  if (!isMessage(value)) return value as unknown as JsonValue;
  return plain(schema, value);
}
