import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { CSV_DIALECT_NAMES, type CsvDialect } from "../../../../web-files/csv.ts";
import { words } from "../../shell/language.ts";
import { keepDialect, keptDialect } from "./kept-dialect.ts";

interface SaveProps {
  /** The text of the button, if it is not "Save as CSV". */
  readonly act?: string;
  readonly onSave: (dialect: CsvDialect) => void;
}

/** The button that saves a table as CSV, and the choice of how the file is written. */
export function SaveCsv({ act, onSave }: SaveProps): VNode {
  const say = words.reports;
  const [dialect, setDialect] = useState(keptDialect);
  const choose = (event: Event): void => {
    const chosen = (event.currentTarget as HTMLSelectElement).value as CsvDialect;
    keepDialect(chosen);
    setDialect(chosen);
  };
  return (
    <>
      <button type="button" class="button" onClick={() => onSave(dialect)}>
        {act ?? say.csv}
      </button>
      <span class="field">
        <select aria-label={say.csvDialect} value={dialect} onChange={choose}>
          {CSV_DIALECT_NAMES.map((name) => (
            <option key={name} value={name}>
              {say.csvDialects[name]}
            </option>
          ))}
        </select>
      </span>
    </>
  );
}
