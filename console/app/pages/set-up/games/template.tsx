import type { VNode } from "preact";
import { GAME_FIELDS, type GameField } from "../../../../../contract/games/fields.ts";
import { csvOf, download } from "../../../parts/export/csv.ts";
import { SaveCsv } from "../../../parts/export/save-csv.tsx";
import { type Column, Table } from "../../../parts/table.tsx";
import { language, setUpWords } from "../../../shell/language.ts";
import { fieldName } from "../audit/values.ts";

interface FileColumn {
  readonly name: string;
  readonly field: string;
  readonly example: string;
  readonly rule: string;
  readonly isRequired: boolean;
}

const COLUMNS: readonly FileColumn[] = Object.entries<GameField>(GAME_FIELDS).flatMap(
  ([field, { columns, rule, cellRule = rule, isRequired = false }]) =>
    Object.entries(columns).map(([name, example]) => ({ name, field, example, rule: cellRule[language], isRequired })),
);

/** The columns of a file with games, and a file with one game to begin with. */
export function Template(): VNode {
  const say = setUpWords.games;
  return (
    <details>
      <summary>{say.columns}</summary>
      <p>{say.columnsText}</p>
      <div class="actions">
        <SaveCsv
          act={say.template}
          onSave={(dialect) => {
            const cell = ({ name, example }: FileColumn) => (name === "rtp" ? { rawJSON: example } : example);
            download("games.csv", csvOf([COLUMNS.map(({ name }) => name), COLUMNS.map(cell)], dialect));
          }}
        />
      </div>
      <Table caption={say.columns} columns={columnsOf()} rows={COLUMNS} keyOf={({ name }: FileColumn) => name} />
    </details>
  );
}

const columnsOf = (): Column<FileColumn>[] => {
  const say = setUpWords.games;
  return [
    { title: say.column, isName: true, cell: ({ name }) => <span class="id">{name}</span> },
    { title: setUpWords.audit.field, cell: ({ field }) => fieldName(field) },
    { title: say.required, cell: ({ isRequired }) => (isRequired ? setUpWords.audit.yes : setUpWords.audit.no) },
    { title: say.example, cell: ({ example }) => example && <span class="id">{example}</span> },
    { title: say.rule, isWrapped: true, cell: ({ rule }) => rule },
  ];
};
