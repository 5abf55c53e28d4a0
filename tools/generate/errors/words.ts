import { ERROR_ROWS } from "../../../contract/errors/errors.ts";
import { source } from "../source.ts";

/** The console's texts about refusals. Each language has a file of its own, because the browser loads only one. */
export const consoleFailures = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (["pt", "es", "en"] as const).map((language) => {
      const texts = ERROR_ROWS.flatMap(([code, row]) =>
        row.console === undefined ? [] : [`  ${code}: ${JSON.stringify(row.console[language])},\n`],
      );
      const text = `// ${source("contract/errors/")}\nexport const refusals = {\n${texts.join("")}};\n`;
      return [`console/app/words/gen/refusals-${language}.ts`, text];
    }),
  );
