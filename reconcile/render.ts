import { visible } from "../web-files/visible.ts";
import type { Range } from "./comparison.ts";
import { advice, type Difference, KINDS, type Kind, type Side } from "./difference.ts";
import type { Reconciliation } from "./reconcile.ts";

type Write = (text: string) => void;

/** The maximum number of differences of one kind in the table. The JSON output has all differences. */
const SHOWN_MAX = 200;
const time = (ms: number): string => new Date(ms).toISOString();

/** Writes a table for people. Returns the number of differences. */
export function renderTable(
  { merchant, counts, differences }: Reconciliation,
  { from, to }: Range,
  write: Write,
): number {
  write(`${merchant}, from ${time(from)} to ${time(to)}\n`);
  write(
    `${plural(counts.ledgerLines, "line")} of the ledger, ${plural(counts.transactions, "transaction")} of the service`,
  );
  write(counts.pending === 0 ? "\n" : `, ${counts.pending} of them pending and not applied: not decided yet\n`);
  if (counts.edges > 0)
    write(
      `${plural(counts.edges, "success", "successes")} across the range's bounds not in this ledger: look in the one before or after\n`,
    );
  let all = 0;
  let kind: Kind | undefined;
  let shown: Difference[] = [];
  let more = 0;
  const end = (): void => {
    if (kind !== undefined) write(section(kind, shown, more));
  };
  for (const difference of differences()) {
    all += 1;
    if (difference.kind !== kind) {
      end();
      [kind, shown, more] = [difference.kind, [], 0];
    }
    if (shown.length < SHOWN_MAX) shown.push(difference);
    else more += 1;
  }
  end();
  write(all === 0 ? "\nEqual: no differences.\n" : `\n${plural(all, "difference")}.\n`);
  return all;
}

function section(kind: Kind, differences: readonly Difference[], more: number): string {
  const rows = [
    ["tx_id", "service", "ledger", "line"],
    ...differences.map(({ txId, here, there, lines }) => [
      visible(txId),
      sideText(here),
      sideText(there),
      lines.length === 0 ? "-" : lines.join(","),
    ]),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => [...(row[column] ?? "")].length)));
  const table = rows.map((row) => `  ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join("  ")}`.trimEnd());
  const advices = [...new Set(differences.map(advice))].map((text) => `  What to do: ${text}`);
  const hidden = more === 0 ? [] : [`  ... and ${more} more: --json has them all`];
  return `\n${kind} (${differences.length + more}): ${KINDS[kind]}\n${[...table, ...hidden, ...advices].join("\n")}\n`;
}

const sideText = (side: Side | null): string =>
  side === null ? "-" : `${side.action} ${side.amount} ${side.currency} ${side.status}`;
const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** Writes one JSON object for programs, with one difference per line. Returns the number of differences. */
export function renderJson(
  { merchant, currency, counts, differences }: Reconciliation,
  { from, to }: Range,
  write: Write,
): number {
  const head = {
    merchant,
    currency,
    from: time(from),
    to: time(to),
    counts: {
      ledger_lines: counts.ledgerLines,
      transactions: counts.transactions,
      pending: counts.pending,
      edges: counts.edges,
    },
  };
  write(`${JSON.stringify(head).slice(0, -1)},"differences":[`);
  let all = 0;
  for (const difference of differences()) {
    const { kind, txId, here, there, lines } = difference;
    write(
      `${all === 0 ? "" : ","}\n${JSON.stringify({ kind, tx_id: txId, service: here, ledger: there, lines, what_to_do: advice(difference) })}`,
    );
    all += 1;
  }
  write(`${all === 0 ? "" : "\n"}]}\n`);
  return all;
}
