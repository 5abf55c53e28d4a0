import type { ListShown, Outcome, RecordShown, ShownOnce } from "./outcome.ts";
import { fields, table } from "./table.ts";
import { bold, type Terminal } from "./terminal.ts";

/** Shows what a command has to show, and answers whether all was done. */
export function render(terminal: Terminal, outcome: Outcome, json: boolean): boolean {
  if (json) terminal.out(`${JSON.stringify(forMachines(outcome))}\n`);
  else if (outcome.kind === "list") renderList(terminal, outcome);
  else renderRecord(terminal, outcome);
  const faults = outcome.kind === "record" ? (outcome.faults ?? []) : [];
  for (const fault of faults) terminal.err(`${fault}\n`);
  return faults.length === 0;
}

function forMachines(outcome: Outcome): unknown {
  if (outcome.kind === "list") return { items: outcome.items, next_cursor: outcome.nextCursor };
  const { record, once } = outcome;
  return once === undefined ? record : { ...record, [once.name]: once.value };
}

function renderList(terminal: Terminal, { items, columns, readable = (item) => item, nextCursor }: ListShown): void {
  // Not a line of the table: whoever counts lines of stdout counts records.
  if (items.length === 0) terminal.err("There are none.\n");
  else terminal.out(table(terminal, columns, items.map(readable)));
  if (nextCursor !== null) terminal.err(`There are more: add --cursor ${nextCursor}\n`);
}

function renderRecord(terminal: Terminal, { said, brief, record, readable = (same) => same, tables = {}, once }: RecordShown): void {
  const all = readable(record);
  if (said !== undefined) terminal.out(`${said}\n`);
  if (brief) return;
  if (said !== undefined) terminal.out("\n");
  const below = Object.entries(tables).flatMap(([name, columns]) => {
    const rows = all[name] as RecordShown["record"][];
    return rows.length === 0 ? [] : [{ name, columns, rows }];
  });
  terminal.out(fields(Object.fromEntries(Object.entries(all).filter(([name]) => !below.some((one) => one.name === name)))));
  for (const { name, columns, rows } of below) terminal.out(`\n${bold(terminal, name)}\n${table(terminal, columns, rows)}`);
  if (once !== undefined) terminal.out(`\n${shownOnce(once)}`);
}

const shownOnce = ({ name, value, replacedBy }: ShownOnce): string =>
  `${name}  ${value}\n\nThis ${name} is shown once, here and now: keep it safe. A lost one is replaced by: ${replacedBy}\n`;
