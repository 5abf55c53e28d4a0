import { cpus, release, totalmem } from "node:os";
import { isMet, type Section, type Table, type Target } from "../measurement.ts";
import type { Spread } from "./statistics.ts";

/** A line of text about the machine. */
export function machine(): string {
  const all = cpus();
  return `${all.length} x ${all[0]?.model.trim() ?? "unknown CPU"}, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}, Node ${process.versions.node}`;
}

/** A figure with a suitable number of digits. */
export function figure(value: number): string {
  if (Number.isNaN(value)) return "-";
  if (Math.abs(value) >= 1_000) return Math.round(value).toLocaleString("en").replaceAll(",", " ");
  if (Math.abs(value) >= 100) return value.toFixed(0);
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}

/** The text of a median, with the lowest and the highest value if there were several runs. */
export function spreadText({ median, min, max }: Spread): string {
  return min === max || Number.isNaN(median) ? figure(median) : `${figure(median)} (${figure(min)}-${figure(max)})`;
}

export function sectionText(section: Section): string {
  const tables = section.tables.flatMap((table) => [
    ...(table.title === "" ? [] : [`### ${table.title}`, ""]),
    tableText(table),
    "",
  ]);
  const targets = section.targets.length === 0 ? [] : [tableText(targetTable(section.targets)), ""];
  const violations = (section.violations ?? []).map((violation) => `**Violated:** ${violation}\n`);
  return [`## ${section.title}`, "", section.method, "", ...tables, ...targets, ...violations].join("\n");
}

function targetTable(targets: readonly Target[]): Table {
  const rows = targets.map((target) => {
    const bound = "atLeast" in target.bound ? `at least ${target.bound.atLeast}` : `at most ${target.bound.atMost}`;
    return [
      target.what,
      `${spreadText(target.measured)} ${target.unit}`.trim(),
      `${bound} ${target.unit}`.trim(),
      isMet(target) ? "met" : "**missed**",
    ];
  });
  return { title: "", columns: ["target", "measured", "bound", ""], rows };
}

function tableText({ columns, rows }: Table): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(columns), `|${columns.map((_, i) => (i === 0 ? "---" : "---:")).join("|")}|`, ...rows.map(line)].join(
    "\n",
  );
}
