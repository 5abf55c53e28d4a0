import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { majorText } from "../../parts/amount.ts";
import { csvOf, download } from "../../parts/csv.ts";
import { count } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { failureText } from "../../parts/state.ts";
import { call } from "../../service/call.ts";
import { Failure } from "../../service/failure.ts";
import type { Transaction } from "../../service/types.ts";
import { words } from "../../shell/language.ts";
import { type Kind, type Query, requestOf, type Slip, type StuckPage } from "./types.ts";

/** Rows of one call, and of a file. The rows of a file are held in the browser's memory. */
const PAGE = 200;
const ROWS_MAX = 10_000;

const HEADER =
  "kind,merchant,created_at,tx_id,slip_id,action,amount,currency,status,error,player_id,provider,game,round_id,attempts";

type State =
  | { readonly kind: "ready"; readonly capped?: boolean; readonly failure?: Failure }
  | { readonly kind: "reading"; readonly rows: number };

/** Saves the whole list as CSV: page after page, so that no call reads more than a page. */
export function Export({ kind, query }: { readonly kind: Kind; readonly query: Query }): VNode {
  const say = words.stuck;
  const [state, setState] = useState<State>({ kind: "ready" });
  const reading = useRef<AbortController>(undefined);
  useEffect(() => () => reading.current?.abort(), []);
  const save = async (): Promise<void> => {
    const stop = new AbortController();
    reading.current = stop;
    const rows: string[][] = [];
    let cursor: string | undefined;
    try {
      do {
        setState({ kind: "reading", rows: rows.length });
        const asked = { ...requestOf(kind, query), limit: PAGE, ...(cursor !== undefined && { cursor }) };
        const page = await call<StuckPage>("admin.ConsoleService/ListStuckMoney", asked, stop.signal);
        rows.push(...rowsOf(kind, page));
        cursor = page.nextCursor;
      } while (cursor !== undefined && cursor !== "" && rows.length < ROWS_MAX);
    } catch (cause) {
      if (stop.signal.aborted) return setState({ kind: "ready" });
      const failure = cause instanceof Failure ? cause : new Failure("NOT_READABLE", String(cause));
      return setState({ kind: "ready", failure });
    }
    if (stop.signal.aborted) return;
    download(`stuck-${kind}${query.merchant ? `-${query.merchant}` : ""}.csv`, csvOf([HEADER.split(","), ...rows]));
    setState({ kind: "ready", capped: cursor !== undefined && cursor !== "" });
  };
  return html`
    <div class="actions">
      ${
        state.kind === "reading"
          ? html`<button type="button" class="button" onClick=${() => reading.current?.abort()}>${say.stop}</button>
              <span role="status">${say.reading(count(state.rows))}</span>`
          : html`<button type="button" class="button" onClick=${save}>${words.reports.csv}</button>`
      }
      ${state.kind === "ready" && state.capped && html`<span role="status">${say.capped(count(ROWS_MAX))}</span>`}
      ${state.kind === "ready" && state.failure && html`<span class="fault" role="alert">${failureText(state.failure)}</span>`}
    </div>
  `;
}

const rowsOf = (kind: Kind, { items = [] }: StuckPage): string[][] =>
  items.flatMap(({ transaction, slip }) => [
    ...(transaction === undefined ? [] : [transactionRow(kind, transaction)]),
    ...(slip === undefined ? [] : [slipRow(kind, slip)]),
  ]);

const transactionRow = (kind: Kind, one: Transaction): string[] => [
  kind,
  one.merchant ?? "",
  one.createdAt,
  one.txId,
  "",
  one.action,
  majorText(one.amountMinor, one.currency),
  one.currency,
  one.status,
  one.error ?? "",
  one.playerId,
  one.provider,
  one.game,
  one.roundId,
  String(one.attempts ?? 0),
];

/** A slip has several rounds and calls. Its timeline shows them. */
const slipRow = (kind: Kind, { merchant, createdAt, txId, slipId, amountMinor, currency, status, playerId }: Slip) => [
  ...[kind, merchant, createdAt, txId, slipId, "bet", majorText(amountMinor, currency), currency, status, "", playerId],
  ...["", "", "", ""],
];
