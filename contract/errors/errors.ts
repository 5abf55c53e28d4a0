/**
 * The one table of error codes. REST, gRPC, the API's description, the console and the command line read it.
 * `npm run generate` writes what other languages and texts state of it: the tables of the specification and of the protos'
 * comments, the console's words and the kits' types.
 */
import { ADMINISTRATION } from "./administration.ts";
import { AUTHENTICATION } from "./authentication.ts";
import { FAULTS } from "./faults.ts";
import { LAUNCH } from "./launch.ts";
import { REQUESTS } from "./requests.ts";
import type { ErrorRow } from "./row.ts";
import { TRANSACTIONS } from "./transactions.ts";

export const ERRORS = {
  ...AUTHENTICATION,
  ...REQUESTS,
  ...LAUNCH,
  ...TRANSACTIONS,
  ...ADMINISTRATION,
  ...FAULTS,
};

/** The code by which clients decide what to do. */
export type ErrorCode = keyof typeof ERRORS;

/** A code with a text for people. Merchants and the console's own requests get such codes. */
export type ExplainedCode = {
  [Code in ErrorCode]: (typeof ERRORS)[Code] extends { readonly text: object } ? Code : never;
}[ErrorCode];

/** Every code with its row, in the order of the table. */
export const ERROR_ROWS = Object.entries(ERRORS) as readonly (readonly [ErrorCode, ErrorRow])[];
