import { AUDIT_ACTIONS } from "../../contract/audit/actions.ts";
import { AUDIT_FIELDS } from "../../contract/audit/fields.ts";
import { ERROR_ROWS } from "../../contract/errors/errors.ts";
import { MERCHANT_FIELDS, type MerchantField } from "../../contract/merchants/fields.ts";
import { camelCase } from "../../contract/names.ts";
import { KINDS } from "../../contract/transactions/kinds.ts";
import { GROUPINGS } from "../../contract/values/groupings.ts";
import { WALLET_CODES } from "../../contract/wallet/codes.ts";
import { source } from "./source.ts";

type Language = "pt" | "es" | "en";
type Texts = Readonly<Record<Language, string>>;

const REFUSALS = ERROR_ROWS.flatMap(([code, { console }]) => (console === undefined ? [] : [[code, console] as const]));
const GROUPS = Object.entries(GROUPINGS).map(([name, { console }]) => [name, console] as const);

const KIND_TEXTS = Object.entries(KINDS).map(([kind, { console }]) => [kind, console] as const);
const WALLET_TEXTS = Object.entries(WALLET_CODES).map(([code, { console }]) => [code, console] as const);

const MERCHANT_FACTS = Object.entries<MerchantField>(MERCHANT_FIELDS)
  .filter(([, { type, hasPlace }]) => type !== "own" && hasPlace !== true)
  .map(([name, { words }]) => [camelCase(name), words] as const);

/**
 * The console's texts about facts of the contract. Each language has files of its own, because the browser loads only
 * one language, and the words of the audit log only with its page.
 */
export const consoleWords = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (["pt", "es", "en"] as const).flatMap((language) => {
      const words = (name: string, type: string, texts: readonly (readonly [string, Texts])[]): string =>
        `export const ${name}${type} = {\n${texts.map(([key, text]) => `  "${key}": ${JSON.stringify(text[language])},\n`).join("")}};\n`;
      const any = ": Readonly<Record<string, string>>";
      return [
        [
          `console/app/words/gen/words-${language}.ts`,
          `// ${source("contract/")}\n${words("refusals", "", REFUSALS)}${words("groups", "", GROUPS)}${words("merchantFacts", "", MERCHANT_FACTS)}${words("kinds", "", KIND_TEXTS)}`,
        ],
        [
          `console/app/words/gen/wallet-${language}.ts`,
          `// ${source("contract/wallet/")}\n${words("walletCodes", "", WALLET_TEXTS)}`,
        ],
        [
          `console/app/words/gen/audit-${language}.ts`,
          `// ${source("contract/audit/")}\n${words("actions", any, Object.entries(AUDIT_ACTIONS))}${words("fields", any, Object.entries(AUDIT_FIELDS).sort())}`,
        ],
      ];
    }),
  );
