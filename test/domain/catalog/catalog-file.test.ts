import test from "ava";
import fc from "fast-check";
import { catalogFile, UnreadableFile } from "../../../src/domain/catalog/catalog-file.ts";
import { CsvReader } from "../../../src/domain/catalog/csv.ts";
import { JsonItems } from "../../../src/domain/catalog/json-items.ts";

/** The text in pieces, cut at the given positions. */
function cut(text: string, at: readonly number[]): string[] {
  const cuts = [...new Set(at.map((place) => place % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...cuts].map((from, i) => text.slice(from, cuts[i] ?? text.length));
}

const cells = fc.array(fc.string({ unit: fc.constantFrom("a", "é", '"', ",", "\n", "\r", "|", " ") }), {
  minLength: 2,
  maxLength: 4,
});
const cuts = fc.array(fc.nat(500), { maxLength: 6 });
const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

test("reading CSV returns the cells that were written, however the file is split into pieces", (t) => {
  fc.assert(
    fc.property(
      fc.array(cells, { minLength: 1, maxLength: 4 }),
      cuts,
      fc.constantFrom("\n", "\r\n"),
      (records, cuts, newline) => {
        const text = records.map((record) => record.map(quoted).join(",")).join(newline);
        const reader = new CsvReader();
        const read = [...cut(text, cuts).flatMap((piece) => reader.push(piece)), ...reader.end()];
        t.deepEqual(
          read.map((record) => record.cells),
          records,
        );
      },
    ),
  );
});

test("each CSV record has the number of the line on which it begins", (t) => {
  const reader = new CsvReader();
  const read = [...reader.push('a,b\r\n\r\n"two\nlines",c\nlast,\n'), ...reader.end()];
  t.deepEqual(
    read.map(({ line, cells: [first] }) => [line, first]),
    [
      [1, "a"],
      [3, "two\nlines"],
      [5, "last"],
    ],
  );
});

test("reading JSON returns the items of the array, however the file is split into pieces", (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue(), { maxLength: 6 }),
      cuts,
      fc.constantFrom(undefined, 2),
      (values, cuts, indent) => {
        const items = new JsonItems();
        const read = cut(JSON.stringify(values, null, indent), cuts).flatMap((piece) => items.push(piece));
        items.end();
        t.deepEqual(
          read.map(({ text }) => JSON.parse(text)),
          JSON.parse(JSON.stringify(values)),
        );
      },
    ),
  );
});

test("an incomplete file, a JSON file without a list and a CSV file with a wrong header cannot be read", (t) => {
  for (const [format, text] of [
    ["json", '[{"a": 1}'],
    ["json", '[{"a": "]'],
    ["json", "[1,]"],
    ["json", "null"],
    ["json", ""],
    ["csv", '"open'],
    ["csv", "code,code\n"],
    ["csv", "__proto__\nx"],
  ] as const) {
    const file = catalogFile(format);
    t.throws(() => [...file.push(text), ...file.end()], { instanceOf: UnreadableFile }, text);
  }
});

test("a CSV file may have semicolons and decimal commas, as spreadsheets of South America write them", (t) => {
  const text = 'provider;code;name;type;rtp\r\nACME;a;"Fruits, ripe";slot;96,5\r\nACME;b;B;slot;96.5\r\n';
  const file = catalogFile("csv");
  // Each character comes in a piece of its own.
  t.deepEqual(
    [...[...text].flatMap((sign) => file.push(sign)), ...file.end()],
    [
      { line: 2, fields: { provider: "ACME", code: "a", name: "Fruits, ripe", type: "slot", rtp: 96.5 } },
      { line: 3, fields: { provider: "ACME", code: "b", name: "B", type: "slot", rtp: 96.5 } },
    ],
  );
  const commas = catalogFile("csv");
  t.like(commas.push('provider,code,name,rtp\r\nACME,a;b,A,"96,5"\r\n')[0], {
    fields: { code: "a;b", rtp: "96,5" },
  });
});

test("a CSV file with tabs is refused with this reason", (t) => {
  t.throws(() => catalogFile("csv").push("provider\tcode\tname\ttype\r\n"), {
    instanceOf: UnreadableFile,
    message: "commas or semicolons between the cells; it has tabs",
  });
});
