import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { CsvDialect } from "../../../../web-files/csv.ts";
import { download } from "../../parts/export/csv.ts";
import { SaveCsv } from "../../parts/export/save-csv.tsx";
import { count } from "../../parts/format.ts";
import { failureText } from "../../parts/state.tsx";
import { call } from "../../service/call.ts";
import { Failure } from "../../service/failure.ts";
import type { GgrReport } from "../../service/types.ts";
import { moreWords, words } from "../../shell/language.ts";
import { hasTooManyRows, PAGE_DAYS } from "./limits.ts";
import { linesCsv, linesOf } from "./lines.ts";
import { daysOf, type Range } from "./ranges.ts";
import { FILE_DAYS, readWhole } from "./whole-report.ts";

interface TooBigProps {
  readonly rpc: string;
  /** The report without its days. */
  readonly request: object;
  readonly range: Range;
  readonly failure: Failure;
  /** The name of the file. */
  readonly file: string;
}

/** Says why a report is too big for the page, and saves it as a file, made of reports of fewer days. */
export function TooBig({ rpc, request, range, failure, file }: TooBigProps): VNode {
  const say = moreWords.tooBig;
  const [days, setDays] = useState<number>();
  const [fault, setFault] = useState<Failure>();
  const reading = useRef<AbortController>(undefined);
  useEffect(() => () => reading.current?.abort(), []);
  const save = async (dialect: CsvDialect): Promise<void> => {
    const stop = new AbortController();
    reading.current = stop;
    setFault(undefined);
    setDays(0);
    let read = 0;
    try {
      const report = await readWhole(range, async (part) => {
        const some = await call<GgrReport>(rpc, { ...request, ...part }, stop.signal);
        read += daysOf(part);
        setDays(read);
        return some;
      });
      download(file, linesCsv(linesOf(report, range, undefined, null), report, dialect));
    } catch (cause) {
      if (!stop.signal.aborted) setFault(cause instanceof Failure ? cause : new Failure("NOT_READABLE", String(cause)));
    }
    setDays(undefined);
  };
  const many = daysOf(range);
  const isFile = many <= FILE_DAYS;
  return (
    <div class="notice" role="alert" data-code={failure.code}>
      <strong>{say.title}</strong>
      <p>
        {many > PAGE_DAYS ? say.days(count(many), count(PAGE_DAYS)) : failureText(failure)}{" "}
        {isFile ? say.smaller : say.fewer(count(FILE_DAYS))}
      </p>
      {isFile && (
        <div class="actions">
          {days === undefined ? (
            <SaveCsv onSave={save} />
          ) : (
            <>
              <button type="button" class="button" onClick={() => reading.current?.abort()}>
                {words.stuck.stop}
              </button>
              <span role="status">{say.read(count(days), count(many))}</span>
            </>
          )}
        </div>
      )}
      {fault && (
        <p class="fault" role="alert">
          {hasTooManyRows(fault) ? say.tooManyRows : failureText(fault)}
        </p>
      )}
    </div>
  );
}
