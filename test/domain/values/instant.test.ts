import test from "ava";
import fc from "fast-check";
import { instantOf } from "../../../src/cli/arguments/flag.ts";
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

test("a leap second is the first moment of the next minute, and only the last second of a month in UTC can be one", (t) => {
  const next = Date.UTC(2017, 0, 1);
  for (const text of [
    "2016-12-31T23:59:60Z",
    "2016-12-31t23:59:60z",
    "2016-12-31T23:59:60.5Z",
    "2016-12-31T20:59:60-03:00",
    "2017-01-01T05:44:60+05:45",
  ])
    t.is(parseInstant(text), next, text);
  t.is(parseInstant("1990-12-31T15:59:60-08:00"), Date.UTC(1991, 0, 1), "the example of RFC 3339");
  t.is(parseInstant("2015-06-30T23:59:60Z"), Date.UTC(2015, 6, 1));
  for (const none of [
    "2016-12-31T23:59:61Z",
    "2016-12-31T23:60:00Z",
    "2016-12-30T23:59:60Z",
    "2016-12-31T23:58:60Z",
    "2016-12-31T23:59:60+01:00",
    "9999-12-31T23:59:60Z",
  ])
    t.is(parseInstant(none), undefined, none);
});

test("the grammar of RFC 3339, letter by letter", (t) => {
  const noon = Date.UTC(2026, 0, 31, 12);
  for (const [text, ms] of [
    ["2026-01-31T12:00:00z", noon],
    ["2026-01-31T12:00:00-00:00", noon],
    ["2026-02-01T11:59:00+23:59", noon],
    [`2026-01-31T12:00:00.${"9".repeat(40)}Z`, noon + 999],
    ["2026-01-31T12:00:00.1Z", noon + 100],
    ["2024-02-29T00:00:00Z", Date.UTC(2024, 1, 29)],
  ] as const)
    t.is(parseInstant(text), ms, text);
  for (const none of [
    "2026-01-31 12:00:00Z",
    "2026-01-31T12:00:00.Z",
    "2026-01-31T12:00:001Z",
    "2026-01-31T12:00:00,5Z",
    "2026-01-31T12:00Z",
    "2026-01-31T12:00:00+0300",
    "2026-01-31T12:00:00+24:00",
    "2026-01-31T12:00:00+03:60",
    "2026-01-31T12:00:00−03:00",
    "2026-01-31T12:00:00Z[UTC]",
    "2026-1-31T12:00:00Z",
    "20260131T120000Z",
    "+002026-01-31T12:00:00Z",
    "2026-01-00T12:00:00Z",
    "2026-13-01T12:00:00Z",
    "2100-02-29T00:00:00Z",
    " 2026-01-31T12:00:00Z",
    "２026-01-31T12:00:00Z",
  ])
    t.is(parseInstant(none), undefined, none);
});

test("the command line reads the same times, and also a date alone and a time without seconds", (t) => {
  const two = fc.integer({ min: 0, max: 61 }).map((n) => String(n).padStart(2, "0"));
  const text = fc
    .tuple(
      fc.constantFrom("2016-12-31", "2017-01-01", "2015-06-30", "2026-02-30", "0000-01-01", "9999-12-31"),
      fc.constantFrom("T", "t", " "),
      fc.oneof(two, fc.constantFrom("23", "20")),
      fc.oneof(two, fc.constant("59")),
      fc.oneof(two, fc.constant("60")),
      fc.constantFrom("", ".5", ".1234567890", "."),
      fc.constantFrom("Z", "z", "-03:00", "+05:45", "+24:00", "", "-00:00"),
    )
    .map(
      ([date, sign, hour, minute, second, fraction, offset]) =>
        `${date}${sign}${hour}:${minute}:${second}${fraction}${offset}`,
    );
  fc.assert(
    fc.property(text, (text) => t.is(instantOf(text), parseInstant(text), text)),
    { numRuns: 3_000 },
  );
  t.is(instantOf("2026-01-31"), Date.UTC(2026, 0, 31));
  t.is(instantOf("2026-01-31T12:00Z"), Date.UTC(2026, 0, 31, 12));
});

test("the first and the last time of the years with four digits are written as they were read, and times outside of these years are refused", (t) => {
  for (const text of ["0000-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"])
    t.is(formatInstant(parseInstant(text) ?? Number.NaN), text);
  for (const beyond of ["0000-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01"])
    t.is(parseInstant(beyond), undefined, beyond);
});
