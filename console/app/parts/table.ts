import type { ComponentChildren, VNode } from "preact";
import { html } from "./html.ts";

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Figures stand at the right. */
  readonly isFigure?: boolean;
  /** Names the row for screen readers. One column has it. */
  readonly isName?: boolean;
}

interface TableProps<Row> {
  /** Names the table. It is not shown. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly foot?: Row | undefined;
}

/** A table that scrolls by itself where the window is too narrow for it. */
export function Table<Row>({ caption, columns, rows, keyOf, foot }: TableProps<Row>): VNode {
  const cells = (row: Row) =>
    columns.map(({ cell, isFigure, isName }) =>
      isName
        ? html`<th scope="row" class=${isFigure ? "figure" : ""}>${cell(row)}</th>`
        : html`<td class=${isFigure ? "figure" : ""}>${cell(row)}</td>`,
    );
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label=${caption}>
      <table>
        <caption class="visually-hidden">${caption}</caption>
        <thead>
          <tr>${columns.map(({ title, isFigure }) => html`<th scope="col" class=${isFigure ? "figure" : ""}>${title}</th>`)}</tr>
        </thead>
        <tbody>${rows.map((row) => html`<tr key=${keyOf(row)} data-key=${keyOf(row)}>${cells(row)}</tr>`)}</tbody>
        ${foot !== undefined && html`<tfoot><tr>${cells(foot)}</tr></tfoot>`}
      </table>
    </div>
  `;
}
