import test from "ava";
import { ERROR_ROWS } from "../../contract/errors/errors.ts";
import { ERRORS, type ErrorCode } from "../../src/domain/errors.ts";
import { describedDetails } from "../../testbed/callers/description.ts";
import { page, table } from "./markdown.ts";

const ofMerchants = ERROR_ROWS.flatMap(([code, { merchants }]) => (merchants === undefined ? [] : [code]));

test("the API's description has exactly the codes that merchants can get", (t) => {
  t.deepEqual([...describedDetails().keys()].sort(), ofMerchants.toSorted());
});

test("every code that a merchant or the console's sign-in can get has a text for people, and no other code has one", (t) => {
  const console = ["INVALID_API_KEY", "FOREIGN_PAGE"];
  const texts = ERROR_ROWS.flatMap(([code, { text }]) => (text === undefined ? [] : [code]));
  t.deepEqual(texts.sort(), [...ofMerchants, ...console].sort());
});

test("the command line has advice for every code that the administration can get, except VALIDATION_ERROR", (t) => {
  const without = ERROR_ROWS.flatMap(([code, { administration }]) => (administration?.advice === "" ? [code] : []));
  t.deepEqual(without, ["VALIDATION_ERROR"]);
});

test("the table names at least one kind of caller for each code, and a service for each code of the sportsbook", (t) => {
  for (const [code, { merchants, providers, sportsbook, administration }] of ERROR_ROWS) {
    t.truthy(merchants ?? providers ?? sportsbook ?? administration, code);
    if (sportsbook !== undefined)
      t.not(sportsbook.bets ?? sportsbook.sessions ?? sportsbook.brands, undefined, `${code}: a service`);
  }
});

test("docs/specification/signing.md has the right HTTP status for the code of each check", (t) => {
  for (const row of table(page("docs/specification/signing.md"), "Order of the checks")) {
    t.is(row.HTTP, String(ERRORS[row["error.code"] as ErrorCode].http), row["error.code"]);
  }
});
