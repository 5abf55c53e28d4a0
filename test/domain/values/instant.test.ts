import test from "ava";
import { formatInstant, parseInstant } from "../../../src/domain/values/instant.ts";

test("a time is read with an offset or Z, and digits finer than milliseconds are cut off", (t) => {
  t.is(parseInstant("2026-01-31T12:00:00Z"), Date.UTC(2026, 0, 31, 12));
  t.is(parseInstant("2026-01-31t12:00:00.1239+03:00"), Date.UTC(2026, 0, 31, 9, 0, 0, 123));
  for (const none of [
    "2026-01-31",
    "2026-01-31T12:00:00",
    "2026-02-30T00:00:00Z",
    "2026-01-31T24:00:00Z",
    "2026-01-31T12:00:60Z",
    "now",
    "",
  ])
    t.is(parseInstant(none), undefined, none);
});

test("the first and the last time of the years with four digits are written as they were read, and times outside of these years are refused", (t) => {
  for (const text of ["0000-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"])
    t.is(formatInstant(parseInstant(text) ?? Number.NaN), text);
  for (const beyond of ["0000-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01"])
    t.is(parseInstant(beyond), undefined, beyond);
});
