import type { CommandOutput, ListOutput, RecordOutput, ShownOnce } from "./command-output.ts";
import { fields, table } from "./table.ts";
import { bold, type Terminal } from "./terminal.ts";
import { visibleSentence } from "./visible.ts";

/** Prints the result of a command. Returns whether everything was done. */
export function render(terminal: Terminal, outcome: CommandOutput, json: boolean): boolean {
  if (json) terminal.out(`${JSON.stringify(forMachines(outcome))}\n`);
  else if (outcome.kind === "list") renderList(terminal, outcome);
  else renderRecord(terminal, outcome);
  const faults = outcome.kind === "record" ? (outcome.faults ?? []) : [];
  for (const fault of faults) terminal.err(`${visibleSentence(fault)}\n`);
  return faults.length === 0;
}

function forMachines(outcome: CommandOutput): unknown {
  if (outcome.kind === "list") return { items: outcome.items, next_cursor: outcome.nextCursor };
  const { record, once } = outcome;
  return once === undefined ? record : { ...record, [once.name]: once.value };
}

function renderList(terminal: Terminal, { items, columns, readable = (item) => item, nextCursor }: ListOutput): void {
  // This text is printed to stderr, so that each line of stdout is a record.
  if (items.length === 0) terminal.err("There are none.\n");
  else terminal.out(table(terminal, columns, items.map(readable)));
  if (nextCursor !== null) terminal.err(`There are more: add --cursor ${nextCursor}\n`);
}

function renderRecord(
  terminal: Terminal,
  { sentence, brief, record, readable = (same) => same, tables = {}, once }: RecordOutput,
): void {
  const all = readable(record);
  if (sentence !== undefined) terminal.out(`${visibleSentence(sentence)}\n`);
  if (brief) return;
  if (sentence !== undefined) terminal.out("\n");
  const below = Object.entries(tables).flatMap(([name, columns]) => {
    const rows = all[name] as RecordOutput["record"][];
    return rows.length === 0 ? [] : [{ name, columns, rows }];
  });
  terminal.out(
    fields(Object.fromEntries(Object.entries(all).filter(([name]) => !below.some((one) => one.name === name)))),
  );
  for (const { name, columns, rows } of below)
    terminal.out(`\n${bold(terminal, name)}\n${table(terminal, columns, rows)}`);
  if (once !== undefined) terminal.out(`\n${shownOnce(once)}`);
}

const shownOnce = ({ name, value, replacedBy }: ShownOnce): string =>
  `${name}  ${value}\n\nThis ${name} is shown once, here and now: keep it safe. A lost one is replaced by: ${replacedBy}\n`;
