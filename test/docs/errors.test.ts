import test from "ava";
import { ADVICE } from "../../src/cli/service/failure.ts";
import { ERRORS, type ErrorCode } from "../../src/domain/errors.ts";
import { ERROR_TEXTS } from "../../src/domain/texts/error-texts.ts";
import { describedDetails } from "../../testbed/callers/description.ts";
import { page, table } from "./markdown.ts";

const all = table(page("docs/specification/errors.md"), "Errors");
const metBy = (who: string) => all.filter((row) => row["met by"]?.split(", ").includes(who)).map((row) => row.code);
const codes = Object.entries(ERRORS) as [ErrorCode, (typeof ERRORS)[ErrorCode]][];

test("docs/specification/errors.md equals the error table, code by code and in its order", (t) => {
  t.deepEqual(
    all.map((row) => [row.code, row.HTTP, row.gRPC, row.retry]),
    codes.map(([code, { http, grpc, retry }]) => [code, String(http), grpc, retry]),
  );
});

test("the API's description has exactly the codes that merchants can get", (t) => {
  t.deepEqual([...describedDetails().keys()].sort(), metBy("merchants").sort());
});

test("every code that a merchant or the console's sign-in can get has a text for people, and no other code has one", (t) => {
  const console = ["INVALID_API_KEY", "FOREIGN_PAGE"];
  t.deepEqual(Object.keys(ERROR_TEXTS).sort(), [...metBy("merchants"), ...console].sort());
});

test("docs/merchant.md has every code that merchants can get, with its HTTP status and whether to call again", (t) => {
  const rows = table(page("docs/merchant.md"), "7. Errors");
  t.deepEqual(
    rows.map((row) => row.code),
    metBy("merchants"),
  );
  for (const row of rows) {
    const { http, retry } = ERRORS[row.code as ErrorCode];
    t.deepEqual([row.HTTP, row.again], [String(http), retry === "same_request" ? "yes" : "no"], row.code);
  }
});

test("docs/provider.md has every code that providers can get, with its gRPC status and whether to call again", (t) => {
  const rows = table(page("docs/provider.md"), "Errors");
  t.deepEqual(rows.map((row) => row.code).sort(), metBy("providers").sort());
  for (const row of rows) {
    const { grpc, retry } = ERRORS[row.code as ErrorCode];
    t.deepEqual([row.status, row.again], [grpc, retry === "same_request" ? "yes" : "no"], row.code);
  }
});

test("the command line has advice for exactly the codes that the administration can get, except VALIDATION_ERROR", (t) => {
  const codes = metBy("administration").filter((code) => code !== "VALIDATION_ERROR");
  t.deepEqual(Object.keys(ADVICE).sort(), codes.sort());
});

test("the table names at least one kind of caller for each code, and no unknown kind", (t) => {
  const known = ["merchants", "providers", "sportsbook", "administration"];
  for (const row of all) {
    const who = row["met by"]?.split(", ") ?? [];
    t.true(who.length > 0 && who.every((one) => known.includes(one)), `${row.code}: ${row["met by"]}`);
  }
});

test("docs/specification/signing.md has the right HTTP status for the code of each check", (t) => {
  for (const row of table(page("docs/specification/signing.md"), "Order of the checks")) {
    t.is(row.HTTP, String(ERRORS[row["error.code"] as ErrorCode].http), row["error.code"]);
  }
});
