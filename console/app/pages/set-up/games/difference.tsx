import type { ComponentChildren, VNode } from "preact";
import { GAME_FIELDS } from "../../../../../contract/games/fields.ts";
import { Badge } from "../../../parts/badge.tsx";
import { count } from "../../../parts/format.ts";
import { type Column, Table } from "../../../parts/table.tsx";
import type { ImportFault, ImportReply, PreviewedGame } from "../../../service/import-games.ts";
import { language, setUpWords, words } from "../../../shell/language.ts";
import { fieldName, readChange } from "../audit/values.ts";

/** A list with more games than this is closed at first. */
const OPEN_MAX = 50;

/** How many games are new, changed and unchanged. */
export const sumOf = ({ created = 0, updated = 0, unchanged = 0 }: ImportReply): string =>
  setUpWords.games.sum(count(created), count(updated), count(unchanged));

/** What a file would change. */
export function Difference({ reply }: { readonly reply: ImportReply }): VNode {
  const say = setUpWords.games;
  const { created = 0, updated = 0, preview = {} } = reply;
  const { deactivated = 0, missingCount = 0 } = preview;
  return (
    <>
      <p role="status">
        <strong>{sumOf(reply)}</strong>
      </p>
      {created + updated === 0 && <p>{say.nothing}</p>}
      {deactivated > 0 && <p class="effect">{say.deactivated(count(deactivated))}</p>}
      <Lost all={updated} games={preview.updated} />
      <Games title={say.changed} all={updated} games={preview.updated} columns={changedColumns()} />
      <Games title={say.new} all={created} games={preview.created} columns={gameColumns()} />
      <Games title={say.missing} all={missingCount} games={preview.missing} columns={gameColumns()}>
        <p>{say.missingText}</p>
      </Games>
    </>
  );
}

interface GamesProps {
  readonly title: string;
  /** The number of all games. */
  readonly all: number;
  /** The first of them. */
  readonly games?: readonly PreviewedGame[] | undefined;
  readonly columns: readonly Column<PreviewedGame>[];
  readonly children?: ComponentChildren;
}

function Games({ title, all, games = [], columns, children }: GamesProps): VNode | null {
  if (all === 0) return null;
  return (
    <details class="games" open={all <= OPEN_MAX}>
      <summary>
        {title}: {count(all)}
      </summary>
      {children}
      <Table
        caption={title}
        columns={columns}
        rows={games}
        keyOf={({ provider, code }: PreviewedGame) => `${provider}/${code}`}
      />
      {all > games.length && <p>{setUpWords.games.more(count(all - games.length))}</p>}
    </details>
  );
}

const gameColumns = (): Column<PreviewedGame>[] => [
  { title: words.transactions.provider, cell: ({ provider }) => provider },
  { title: words.merchants.code, isName: true, cell: ({ code }) => <span class="id">{code}</span> },
  { title: words.merchants.name, cell: ({ name }) => name },
];

const changedColumns = (): Column<PreviewedGame>[] => {
  const [provider, code, name] = gameColumns();
  return [code, changeColumn(), name, provider].filter((column) => column !== undefined);
};

type Change = NonNullable<PreviewedGame["changes"]>[number];

/** A value of the catalog that nobody has given yet. An empty list is a value: it says that there is none. */
const isUnknown = (json = ""): boolean => json === "" || json === "null";

const objectIn = (json = ""): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
};

/** Whether the import removes the field's value, or a part of it, because the file does not have it. */
function isLost({ field, from, to }: Change): boolean {
  if (isUnknown(to)) return readChange(field, from, to).before.length > 0;
  const after = objectIn(to);
  return (
    Object.keys(after).length > 0 &&
    Object.entries(objectIn(from)).some(([name, value]) => value !== null && (after[name] ?? null) === null)
  );
}

/** The fields whose values the import removes, each with the number of games. */
function Lost({ all, games = [] }: Pick<GamesProps, "all" | "games">): VNode | null {
  const counts = new Map<string, number>();
  for (const change of games.flatMap(({ changes = [] }) => changes))
    if (isLost(change)) counts.set(change.field, (counts.get(change.field) ?? 0) + 1);
  if (counts.size === 0) return null;
  const fields = [...counts].map(([field, many]) => `${fieldName(field)} (${count(many)})`).join(", ");
  const say = setUpWords.games;
  return (
    <p class="effect">
      {say.lost(fields)} {all > games.length && say.lostOf(count(games.length))}
    </p>
  );
}

const changeColumn = (): Column<PreviewedGame> => ({
  title: setUpWords.games.changes,
  cell: ({ changes = [] }) => (
    <ul class="changed">
      {[...changes]
        .sort((a, b) => Number(isLost(b)) - Number(isLost(a)))
        .map((change) => {
          const { field, from, to } = change;
          const { before, after } = readChange(field, from, to);
          const { unknown, none, removed } = setUpWords.games;
          const text = (lines: readonly string[], json: string | undefined): string =>
            lines.join(", ") || (isUnknown(json) ? unknown : none);
          return (
            <li key={field}>
              {isLost(change) && (
                <>
                  <Badge tone="bad" text={removed} />{" "}
                </>
              )}
              {fieldName(field)}: <del>{text(before, from)}</del> → <ins>{text(after, to)}</ins>
            </li>
          );
        })}
    </ul>
  ),
});

/** The wrong lines of a file. */
export function Faults({ reply }: { readonly reply: ImportReply }): VNode {
  const say = setUpWords.games;
  const { faults = [], faultCount = 0, created = 0, updated = 0 } = reply;
  const rows = faults.map((fault, i) => ({ ...fault, i }));
  return (
    <>
      <div class="notice failed" role="alert">
        <strong>{say.wrong(count(faultCount))}</strong>
        <p>{created + updated > 0 ? say.stopped(sumOf(reply)) : say.wrongText}</p>
      </div>
      <Table
        caption={say.faults}
        columns={faultColumns()}
        rows={rows}
        keyOf={({ i }: { readonly i: number }) => String(i)}
      />
      {faultCount > faults.length && <p>{say.more(count(faultCount - faults.length))}</p>}
    </>
  );
}

const faultColumns = (): Column<ImportFault>[] => [
  { title: setUpWords.games.line, isName: true, isFigure: true, cell: ({ line }) => String(line) },
  { title: words.transactions.game, cell: ({ game }) => game && <span class="id">{game}</span> },
  { title: setUpWords.audit.field, cell: ({ field }) => field && <span class="id">{field}</span> },
  { title: setUpWords.games.value, cell: ({ value }) => value && <span class="id">{value}</span> },
  { title: setUpWords.games.rule, cell: ({ field, reason }) => ruleText(field, reason) },
];

/** The rule of a field in the reader's language. The service also has rules of the whole file, in English. */
function ruleText(field = "", reason: string): ComponentChildren {
  const rule = Object.hasOwn(GAME_FIELDS, field) ? GAME_FIELDS[field as keyof typeof GAME_FIELDS].rule : undefined;
  return rule?.en === reason ? rule[language] : <span lang="en">{reason}</span>;
}
