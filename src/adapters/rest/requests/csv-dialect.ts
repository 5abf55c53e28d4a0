import { CSV_DIALECT_NAMES, type CsvDialect } from "../../../../web-files/csv.ts";
import type { FieldFault } from "../../../domain/errors.ts";
import { FAULT_TEXTS } from "../../../domain/texts/fault-texts.ts";
import { oneOf } from "./query.ts";

/** The parameter `csv_dialect` of calls that can reply with CSV. */
export const csvDialect = oneOf("csv_dialect", CSV_DIALECT_NAMES);

/** A dialect in a request for another format is a fault: the caller forgot `format=csv`. */
export const faultOfDialect = (dialect: CsvDialect | undefined, format: string): FieldFault[] =>
  dialect === undefined || format === "csv"
    ? []
    : [{ field: "csv_dialect", rule: "only with format=csv", message: FAULT_TEXTS.onlyCsv }];
