import test from "ava";
import { readArguments } from "../../reconcile/arguments.ts";

const ENV = { MERCHANT_CODE: "shop-brl", MERCHANT_SECRET: "sk_x" };
const words = (line: string) => line.split(" ").filter((word) => word !== "");
const read = (line: string) => readArguments(words(line), ENV);
const hours = (line: string): [string, number] => {
  const parsed = read(`--ledger a.csv ${line}`);
  if (parsed === "help") throw new Error("help");
  return [new Date(parsed.range.from).toISOString(), (parsed.range.to - parsed.range.from) / 3_600_000];
};

test("a day is a day of the time zone, with its number of hours there", (t) => {
  t.deepEqual(hours("--day 2026-01-31"), ["2026-01-31T00:00:00.000Z", 24]);
  t.deepEqual(hours("--day 2026-01-31 --tz America/Sao_Paulo"), ["2026-01-31T03:00:00.000Z", 24]);
  t.deepEqual(hours("--day 2026-09-06 --tz America/Santiago"), ["2026-09-06T04:00:00.000Z", 23]);
});

test("a range begins at one moment and ends just before another moment; dates mean midnights", (t) => {
  t.deepEqual(hours("--from 2026-01-01 --to 2026-01-08 --tz America/Lima"), ["2026-01-01T05:00:00.000Z", 168]);
  t.deepEqual(hours("--from 2026-01-01T12:30:00-03:00 --to 2026-01-01T16:00:00Z"), ["2026-01-01T15:30:00.000Z", 0.5]);
});

test("without a range all transactions of the service are compared", (t) => {
  const [from, length] = hours("");
  t.is(from, "1970-01-01T00:00:00.000Z");
  t.true(length * 3_600_000 > Date.now());
});

for (const [line, message] of [
  ["", /--ledger is missing/],
  ["--ledger a.csv --day 2026-01-31 --from 2026-01-31", /Say one range: --day, or --from and --to/],
  ["--ledger a.csv --from 2026-01-31", /--to is missing beside the other/],
  ["--ledger a.csv --day 2026-02-30", /--day must be a date such as 2026-01-31, not "2026-02-30"/],
  ["--ledger a.csv --day yesterday", /--day must be a date/],
  [
    "--ledger a.csv --from 2026-01-31T12:00:00 --to 2026-02-01",
    /--from must be a date such as 2026-01-31, or a time with its zone/,
  ],
  ["--ledger a.csv --from 2026-02-01 --to 2026-02-01", /--to must be later than --from/],
  ["--ledger a.csv --day 2026-01-31 --tz Mars/Base", /--tz must be the name of a time zone/],
  ["--leger a.csv", /--leger/],
  ["a.csv --day 2026-01-31", /a\.csv/],
] as const) {
  test(`the line "${line}" is refused with a reason`, (t) => {
    t.throws(() => read(line), { name: "UsageFault", message });
  });
}

test("all faults are reported at once, also those of the environment; help needs no arguments", (t) => {
  t.throws(() => readArguments(words("--day 2026-01-31"), { API_URL: "a.example" }), {
    message:
      /--ledger is missing.*MERCHANT_CODE is not set.*MERCHANT_SECRET is not set.*API_URL must be an http\(s\) address without \/v1, not "a\.example"/s,
  });
  t.is(readArguments(["--help"], {}), "help");
});

test("API_URL is the API address; an address with /v1, which version 1.0.0 needed, is accepted too", (t) => {
  const addressOf = (env: Record<string, string>) => {
    const read = readArguments(words("--ledger a.csv"), { MERCHANT_CODE: "a", MERCHANT_SECRET: "sk_a", ...env });
    return read === "help" ? read : read.credentials.apiUrl;
  };
  t.is(addressOf({}), "http://localhost:8080");
  for (const end of ["", "/", "/v1", "/v1/"])
    t.is(addressOf({ API_URL: `https://api.example/base${end}` }), "https://api.example/base", end);
});
