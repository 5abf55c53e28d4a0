import { readdirSync } from "node:fs";
import { join } from "node:path";
import { CURRENCIES } from "../../../contract/values/currencies.ts";
import { CURRENCY_GROUPINGS, GROUPINGS, MERCHANT_GROUPINGS } from "../../../contract/values/groupings.ts";
import { LANGUAGES, LAYOUTS, THEMES } from "../../../contract/values/look.ts";
import { BET_CODES, WALLET_CODE_NAMES } from "../../../contract/wallet/codes.ts";
import { source } from "../source.ts";
import { withLists } from "./list.ts";

const PROTOS = readdirSync("proto/aggregator", { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".proto"))
  .map((file) => join("proto/aggregator", file))
  .sort();
const REPORT = "proto/aggregator/operator/v1/report_service.proto";
const WORD = /[a-z]+/;

interface Correction {
  readonly files: readonly string[];
  readonly correct: (text: string) => string;
}

/** The lists of values that texts and other languages state. */
export const listedValues: readonly Correction[] = [
  {
    // The certification imports nothing of the project, because merchants run it alone.
    files: ["certify/wallet/rules.ts"],
    correct: (text) =>
      withLists(
        withLists(text, BET_CODES, /[A-Z_]{3,}/, "may reject with "),
        WALLET_CODE_NAMES,
        /[A-Z_]{3,}/,
        "Known codes: ",
      ),
  },
  {
    files: [
      ...PROTOS,
      "docs/merchant.md",
      "kits/go/wallet/wallet.go",
      "kits/php/src/Money.php",
      "kits/typescript/src/money.ts",
      "certify/wallet/calls/money.ts",
    ],
    correct: (text) => withLists(text, Object.keys(CURRENCIES), /[A-Z]{3}/),
  },
  {
    files: [
      ...PROTOS,
      "docs/sportsbook-library.md",
      "docs/specification/browser-library.md",
      "docs/specification/administration.md",
    ],
    correct: (text) =>
      withLists(text, THEMES, /[a-z]+-[a-z]+/).replace(/\bthe \d+(?= \[?themes)/g, `the ${THEMES.length}`),
  },
  {
    files: ["kits/typescript/src/client/types.ts", "kits/python/src/game_aggregator/filters.py"],
    correct: (text) => withLists(text, MERCHANT_GROUPINGS, WORD, 'group_by[^"]+"'),
  },
  {
    files: ["docs/specification/reports.md"],
    correct: (text) => withLists(text, MERCHANT_GROUPINGS, WORD, "group_by` \\| `"),
  },
  {
    files: [REPORT],
    correct: (text) => {
      const ofMerchant = withLists(text, MERCHANT_GROUPINGS, WORD, "of a merchant: ");
      const ofCurrency = withLists(ofMerchant, CURRENCY_GROUPINGS, WORD, "of a currency: ");
      return withLists(ofCurrency, Object.keys(GROUPINGS), WORD, "grouping: ");
    },
  },
];

const list = (name: string, values: readonly string[]): string =>
  `export const ${name} = [\n${values.map((value) => `  "${value}",\n`).join("")}] as const;\n`;

/** The browser library is a package of its own, so it has its own copy of the values. */
export const libraryValues = (): Readonly<Record<string, string>> => ({
  "web-renderer/gen/choices.ts": `// ${source("contract/values/")}\n${list("LANGUAGES", LANGUAGES)}${list("LAYOUTS", LAYOUTS)}${list("THEMES", THEMES)}`,
});
