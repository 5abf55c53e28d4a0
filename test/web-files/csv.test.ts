/** Texts of strangers in CSV files, as spreadsheets and parsers read them. */
import test from "ava";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { unprotectedText } from "../../reconcile/unprotected.ts";
import { visibleSentence } from "../../src/cli/output/visible.ts";
import { CSV_DIALECT_NAMES, type CsvCell, csvLine, protectedText } from "../../web-files/csv.ts";
import { visible } from "../../web-files/visible.ts";

/** What a spreadsheet may take for the beginning of a formula, after the spaces and quotes that some of them skip. */
const RUNS = /^[\s"]*[=+\-@%|＝＋－＠]/u;

/** Pieces of texts that try to begin a cell or a formula. */
const PIECES = fc.constantFrom(
  ..."=+-@%|＝＋－＠;,\t\r\n\"' a1",
  "=1+1",
  "-2+3",
  "@SUM(A1)",
  "\u00a0",
  "\u3000",
  "\ufeff",
  "\u200b",
  "\u202e",
  '""',
  "\r\n",
);
const TEXT = fc.oneof(
  fc.array(PIECES, { maxLength: 8 }).map((pieces) => pieces.join("")),
  fc.string({ unit: "binary" }),
);
const ROWS = fc.array(fc.array(TEXT, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 3 });

/** The cells of a file as a spreadsheet reads them: a quote opens a text only at the beginning of a cell. */
function cellsOf(file: string, separator: string): string[] {
  const cells: string[] = [];
  let cell = "";
  let quoted = false;
  let begun = false;
  for (let i = 0; i < file.length; i++) {
    const sign = file[i] as string;
    if (quoted) {
      if (sign !== '"') cell += sign;
      else if (file[i + 1] === '"') cell += file[++i];
      else quoted = false;
    } else if (sign === '"' && !begun) [quoted, begun] = [true, true];
    else if (sign === separator || sign === "\r" || sign === "\n") {
      cells.push(cell);
      [cell, begun] = ["", false];
    } else [cell, begun] = [cell + sign, true];
  }
  return [...cells, cell];
}

/** Without a closing quote this parser refuses the file. Then there is nothing to compare. */
function parsed(file: string, delimiter: string): string[] {
  try {
    return (parse(file, { delimiter, relax_quotes: true, relax_column_count: true }) as string[][]).flat();
  } catch {
    return [];
  }
}

test("no cell begins with a formula, whatever separates the cells: comma, semicolon or tab", (t) => {
  for (const [text, safe] of [
    ["ana;=1+1;", "ana;'=1+1;"],
    ["r;@A1;", "r;'@A1;"],
    ["\t=1", "'\t'=1"],
    [" =1", "' =1"],
    ["'=1", "'=1"],
    ["＝1", "'＝1"],
    ["-2+3", "'-2+3"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["|cmd", "'|cmd"],
    ["%1", "'%1"],
    ["a\n=1", "a\n'=1"],
    ["a\r\n=1", "a\r\n'=1"],
    ['a;"=1"', `a;'"=1"`],
    ['"=1"', `'"=1"`],
    ["\r", "'\r"],
    ["ACME:b-1", "ACME:b-1"],
    ["a=1+1", "a=1+1"],
    ["55 -11", "55 -11"],
    ["", ""],
  ] as const)
    t.is(protectedText(text), safe, JSON.stringify(text));
  fc.assert(
    fc.property(ROWS, (rows) => {
      for (const dialect of CSV_DIALECT_NAMES) {
        const file = rows.map((row) => csvLine([-1.5, ...row, 7], dialect)).join("");
        for (const separator of [",", ";", "\t"])
          for (const cell of [...cellsOf(file, separator), ...parsed(file, separator)])
            t.false(RUNS.test(cell) && !/^\s*-1([.,;]|$)/.test(cell), JSON.stringify({ file, separator, cell }));
      }
    }),
    { numRuns: 20_000 },
  );
});

test("a parser of each dialect reads the protected texts, and numbers stay numbers", (t) => {
  for (const [dialect, delimiter, number] of [
    ["standard", ",", "-1.5"],
    ["semicolon", ";", "-1,5"],
  ] as const)
    fc.assert(
      fc.property(ROWS, (rows) => {
        const file = rows.map((row) => csvLine([{ rawJSON: "-1.5" }, -1.5, ...row], dialect)).join("");
        t.deepEqual(
          parse(file, { delimiter, record_delimiter: "\r\n" }),
          rows.map((row) => [number, number, ...row.map(protectedText)]),
        );
      }),
      { numRuns: 3_000 },
    );
  const cells: CsvCell[] = [null, "1.5", "0012", "a;b", "a,b", 7, { rawJSON: "12345678901234567890.05" }];
  t.is(csvLine(cells), ',1.5,0012,a;b,"a,b",7,12345678901234567890.05\r\n');
  t.is(csvLine(cells, "semicolon"), ';1.5;0012;"a;b";a,b;7;12345678901234567890,05\r\n', "an id is no number");
});

test("a protected text stays as it is, and its origin can be found", (t) => {
  fc.assert(
    fc.property(TEXT, (text) => {
      const safe = protectedText(text);
      t.is(protectedText(safe), safe);
      t.is(protectedText(unprotectedText(safe)), safe);
    }),
    { numRuns: 5_000 },
  );
  for (const text of ["ACME:x;=1", "ACME:\u202eb", "ACME:b-1", "-5", "\t=1", "ACME:[U+202E]"])
    t.is(unprotectedText(protectedText(text)), text === "ACME:[U+202E]" ? "ACME:\u202e" : text);
  t.is(unprotectedText("[U+0041][U+110000]"), "[U+0041][U+110000]", "only what would have been written so");
});

test("invisible characters are written out, the same way in files, pages and at the terminal", (t) => {
  const signs = [
    ...[0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069, 0x200e, 0x200f, 0x061c],
    ...[0x200b, 0x200c, 0x200d, 0x2060, 0xfeff, 0x00ad, 0x180e, 0x034f, 0x115f, 0x3164, 0xffa0, 0xfe0f, 0xfff9],
    ...[0xe0001, 0xe0041, 0x1d173],
  ];
  for (const sign of signs) {
    const hex = sign.toString(16).toUpperCase().padStart(4, "0");
    t.is(visible(`a${String.fromCodePoint(sign)}b`), `a[U+${hex}]b`);
  }
  for (const text of ["ação", "José 日本 🎰", "שלום", "a b\u00a0c", "[U+202E]"]) t.is(visible(text), text);
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      t.is(visibleSentence(text), visible(text).replace(/(?!\n)[\p{Cc}\p{Zl}\p{Zp}]/gu, " "));
      t.notRegex(visible(text), /[\p{Bidi_Control}\p{Cf}]/u);
    }),
  );
});
