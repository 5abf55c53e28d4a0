import { ERROR_ROWS } from "../../contract/errors/errors.ts";
import { GROUPINGS } from "../../contract/values/groupings.ts";
import { source } from "./source.ts";

/** The console's texts about facts of the contract. Each language has a file of its own, because the browser loads only one. */
export const consoleWords = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (["pt", "es", "en"] as const).map((language) => {
      const texts = ERROR_ROWS.flatMap(([code, row]) =>
        row.console === undefined ? [] : [`  ${code}: ${JSON.stringify(row.console[language])},\n`],
      );
      const groups = Object.entries(GROUPINGS).map(
        ([name, { console }]) => `  ${name}: ${JSON.stringify(console[language])},\n`,
      );
      const text = `// ${source("contract/")}
export const refusals = {
${texts.join("")}};
export const groups = {
${groups.join("")}};
`;
      return [`console/app/words/gen/words-${language}.ts`, text];
    }),
  );
