import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { CsvCell, CsvDialect } from "../../../../web-files/csv.ts";
import { call } from "../../service/call.ts";
import { Failure } from "../../service/failure.ts";
import type { Paged } from "../../service/types.ts";
import { timelineWords, words } from "../../shell/language.ts";
import { count } from "../format.ts";
import { failureText } from "../state.tsx";
import { csvOf, download } from "./csv.ts";
import { SaveCsv } from "./save-csv.tsx";

/** Rows of one call, and of a file. The rows of a file are held in the browser's memory. */
const PAGE = 200;
const ROWS_MAX = 10_000;

type State =
  | { readonly kind: "ready"; readonly capped?: boolean; readonly failure?: Failure }
  | { readonly kind: "reading"; readonly rows: number };

interface ExportProps<Reply> {
  /** A listing. */
  readonly rpc: string;
  readonly request: object;
  readonly header: readonly string[];
  readonly rowsOf: (page: Reply) => readonly (readonly CsvCell[])[];
  /** The name of the file, without its ending. */
  readonly file: string;
  /** Says how to get what a file has no room for. */
  readonly capped: (rows: string) => string;
}

/** Saves a whole list as CSV: page after page, so that no call reads more than a page. */
export function Export<Reply extends Paged>(props: ExportProps<Reply>): VNode {
  const { rpc, request, header, rowsOf, file, capped } = props;
  const say = timelineWords.stuck;
  const [state, setState] = useState<State>({ kind: "ready" });
  const reading = useRef<AbortController>(undefined);
  useEffect(() => () => reading.current?.abort(), []);
  const save = async (dialect: CsvDialect): Promise<void> => {
    const stop = new AbortController();
    reading.current = stop;
    const rows: (readonly CsvCell[])[] = [];
    let cursor: string | undefined;
    try {
      do {
        setState({ kind: "reading", rows: rows.length });
        const asked = { ...request, limit: PAGE, ...(cursor !== undefined && { cursor }) };
        const page: Reply = await call<Reply>(rpc, asked, stop.signal);
        rows.push(...rowsOf(page));
        cursor = page.nextCursor;
      } while (cursor !== undefined && cursor !== "" && rows.length < ROWS_MAX);
    } catch (cause) {
      if (stop.signal.aborted) return setState({ kind: "ready" });
      const failure = cause instanceof Failure ? cause : new Failure("NOT_READABLE", String(cause));
      return setState({ kind: "ready", failure });
    }
    if (stop.signal.aborted) return;
    download(`${file}.csv`, csvOf([header, ...rows], dialect));
    setState({ kind: "ready", capped: cursor !== undefined && cursor !== "" });
  };
  return (
    <div class="actions">
      {state.kind === "reading" ? (
        <>
          <button type="button" class="button" onClick={() => reading.current?.abort()}>
            {words.stuck.stop}
          </button>
          <span role="status">{say.reading(count(state.rows))}</span>
        </>
      ) : (
        <SaveCsv onSave={save} />
      )}
      {state.kind === "ready" && state.capped && <span role="status">{capped(count(ROWS_MAX))}</span>}
      {state.kind === "ready" && state.failure && (
        <span class="fault" role="alert">
          {failureText(state.failure)}
        </span>
      )}
    </div>
  );
}
