import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Figures stand at the right. */
  readonly isFigure?: boolean;
  /** Texts have several lines, so that the columns behind stay in view. A word breaks only if it is very long. */
  readonly isWrapped?: boolean;
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
  /** The page to which a row leads, also beside its links. Absent: rows lead nowhere. */
  readonly hrefOf?: (row: Row) => string;
}

/** The rows that a table has when it first appears: more than a screen shows. */
const FIRST_ROWS = 50;

/**
 * A table that scrolls by itself where the window is too narrow for it. The column that names the row stays in view, and
 * an edge shows that there are further columns. A long table shows its first rows at once, and gets the others after the
 * browser has painted these.
 */
export function Table<Row>({ caption, columns, rows, keyOf, foot, hrefOf }: TableProps<Row>): VNode {
  const box = useRef<HTMLDivElement>(null);
  const [hasMore, setMore] = useState(false);
  useEffect(() => {
    const scroll = box.current;
    const table = scroll?.firstElementChild;
    if (!scroll || !table) return;
    const look = (): void => setMore(scroll.scrollLeft + scroll.clientWidth < scroll.scrollWidth - 1);
    const sizes = new ResizeObserver(look);
    sizes.observe(scroll);
    sizes.observe(table);
    scroll.addEventListener("scroll", look, { passive: true });
    return () => {
      sizes.disconnect();
      scroll.removeEventListener("scroll", look);
    };
  }, []);
  const [isWhole, setWhole] = useState(false);
  const isCut = !isWhole && rows.length > FIRST_ROWS;
  useEffect(() => (isCut ? afterPaint(() => setWhole(true)) : undefined), [isCut]);
  const shown = isCut ? rows.slice(0, FIRST_ROWS) : rows;
  const classOf = ({ isFigure, isName, isWrapped }: Column<Row>): string =>
    [isFigure && "figure", isName && "name", isWrapped && "wrapped"].filter(Boolean).join(" ");
  const cells = (row: Row) =>
    columns.map((column) =>
      column.isName ? (
        <th scope="row" class={classOf(column)}>
          {column.cell(row)}
        </th>
      ) : (
        <td class={classOf(column)}>
          {column.isWrapped ? <div class="lines">{column.cell(row)}</div> : column.cell(row)}
        </td>
      ),
    );
  return (
    <div class="wide" data-more={hasMore}>
      <div ref={box} class="scroll" tabindex={0} role="region" aria-label={caption}>
        <table>
          <caption class="visually-hidden">{caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <th scope="col" class={classOf(column)}>
                  {column.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody class={hrefOf && "leads"}>
            {shown.map((row) => (
              <tr key={keyOf(row)} data-key={keyOf(row)} onClick={hrefOf && follow(hrefOf(row))}>
                {cells(row)}
              </tr>
            ))}
          </tbody>
          {foot !== undefined && (
            <tfoot>
              <tr>{cells(foot)}</tr>
            </tfoot>
          )}
        </table>
      </div>
    </div>
  );
}

/**
 * Makes a click beside a row's links and fields open the row's page. The row's own link is for keyboards and screen
 * readers. A click that ends a selection of text opens nothing.
 */
const follow =
  (href: string) =>
  (event: MouseEvent): void => {
    if ((event.target as Element).closest("a, button, input, label") || String(getSelection()) !== "") return;
    if (event.ctrlKey || event.metaKey) window.open(href);
    else location.hash = href;
  };

/** Calls `act` after the browser has painted the next frame. Returns a function that stops this. */
function afterPaint(act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(act);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
