import { readFileSync } from "node:fs";
import { reference } from "../../src/cli/help/reference.ts";
import { PROGRAM } from "../../src/cli/program.ts";
import { metricsPage } from "../metrics/page.ts";
import { postmanFiles } from "../postman/files.ts";
import { errorTables } from "./errors/documents.ts";
import { kitErrors } from "./errors/kits.ts";
import { merchantTable } from "./merchants.ts";
import { withTable } from "./table.ts";
import { fieldTables } from "./transactions/documents.ts";
import { kitTransactions } from "./transactions/kits.ts";
import { libraryValues, listedValues } from "./values/texts.ts";
import { resultTables } from "./wallet/documents.ts";
import { consoleWords } from "./words.ts";

/** Every generated file by its path from the project's root. In documents and protos only a table is generated. */
export function generatedFiles(): ReadonlyMap<string, string> {
  const files = new Map(
    Object.entries({
      ...postmanFiles(),
      ...kitErrors(),
      ...kitTransactions(),
      ...libraryValues(),
      ...consoleWords(),
      "docs/metrics.md": metricsPage(),
      "docs/admin-commands.md": reference(PROGRAM),
    }),
  );
  for (const { path, rows } of [...errorTables(), ...resultTables(), ...fieldTables(), merchantTable])
    files.set(path, withTable(files.get(path) ?? readFileSync(path, "utf8"), rows, path));
  for (const { files: paths, correct } of listedValues)
    for (const path of paths) files.set(path, correct(files.get(path) ?? readFileSync(path, "utf8")));
  return files;
}
