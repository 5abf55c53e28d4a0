import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Whole } from "../../parts/amount.ts";
import { Ask } from "../../parts/dialog.tsx";
import { count, day, moneyOfMajor, time } from "../../parts/format.ts";
import { failureText } from "../../parts/state.tsx";
import { ACTS } from "../../service/acts.ts";
import { call } from "../../service/call.ts";
import { Failure } from "../../service/failure.ts";
import { mayAct } from "../../service/session.ts";
import type { Live } from "../../service/use-live.ts";
import { useSetAlertCount } from "../../shell/alert-count.tsx";
import { words } from "../../shell/language.ts";
import { PLACES } from "../../shell/places.ts";
import { addressOf } from "../../shell/route.ts";
import { useSession } from "../../shell/session-context.ts";
import { type Difference, differenceIn, goesOn, helpOf, runbookOf } from "./alert-help.ts";

export interface OpenAlert {
  readonly alert: string;
  readonly merchant?: string;
  readonly keyKind?: string;
  readonly firstAt: string;
  readonly lastAt: string;
  readonly count: Whole;
  readonly txId?: string;
  readonly detail?: string;
  readonly replica?: string;
}

/** The reply of ListAlerts. */
export interface OpenAlerts {
  readonly alerts?: readonly OpenAlert[];
  readonly total?: number;
}

const keyOf = ({ alert, merchant, keyKind }: OpenAlert): string => `${alert} ${merchant} ${keyKind}`;

/** The open alerts: what each means for money, and what to do. */
export function Alerts({ asked }: { readonly asked: Live<OpenAlerts> }): VNode | null {
  const say = words.alerts;
  const { reply, failure, isLoading, again } = asked;
  const [closing, setClosing] = useState<OpenAlert>();
  const setCount = useSetAlertCount();
  const total = reply?.total ?? 0;
  useEffect(() => {
    if (reply !== undefined) setCount(total);
  }, [reply]);
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => showNext(list.current), [reply]);
  useEffect(() => {
    const look = (): void => showNext(list.current);
    addEventListener("resize", look);
    return () => removeEventListener("resize", look);
  }, []);
  if (reply === undefined && failure === undefined) return null;
  const open = reply?.alerts ?? [];
  const closed = (): void => {
    setClosing(undefined);
    again();
  };
  return (
    <section class="alerts" aria-labelledby="alerts-title">
      <h2 id="alerts-title">{say.title}</h2>
      {reply === undefined &&
        (isLoading || failure === undefined ? (
          <p class="none">{words.state.loading}</p>
        ) : (
          <p class="fault" role="alert">
            {say.failed} {failureText(failure)}
          </p>
        ))}
      {reply !== undefined && open.length === 0 && <p class="none">{say.none}</p>}
      {open.length > 0 && (
        <ul ref={list} tabindex={0} aria-labelledby="alerts-title">
          {open.map((one) => (
            <Item key={keyOf(one)} of={one} onDone={() => setClosing(one)} />
          ))}
        </ul>
      )}
      {open.length > 0 && (
        <small>
          {say.text} {total > open.length && say.more(count(open.length))}
        </small>
      )}
      {closing && <Done of={closing} onDone={closed} onClose={() => setClosing(undefined)} />}
    </section>
  );
}

/** The height in pixels that must be in view of a cut alert, so that its first words can be read. */
const SEEN_MIN = 96;

/** Makes the list somewhat higher where its edge would show only the border of an alert. */
function showNext(list: HTMLUListElement | null): void {
  if (list === null) return;
  list.style.maxHeight = "";
  const edge = list.clientHeight;
  // A list that is cut only by its last border is shown whole.
  if (list.scrollHeight - edge < SEEN_MIN / 2) {
    list.style.maxHeight = "none";
    return;
  }
  const tops = [...list.children].map(
    (one) => one.getBoundingClientRect().top - list.getBoundingClientRect().top + list.scrollTop,
  );
  const cut = tops.find((top, i) => edge - top < SEEN_MIN && (tops[i + 1] ?? list.scrollHeight) > edge);
  if (cut !== undefined) list.style.maxHeight = `${cut + SEEN_MIN}px`;
}

interface ItemProps {
  readonly of: OpenAlert;
  readonly onDone: () => void;
}

type Known = Readonly<Record<string, { readonly means: string; readonly act: string }>>;

function Item({ of, onDone }: ItemProps): VNode {
  const say = words.alerts;
  const { role } = useSession();
  const { alert, merchant = "", keyKind = "", txId = "", detail = "", replica = "" } = of;
  // A newer release of the service may have alerts that these pages do not know.
  const known = (say.known as Known)[alert];
  const kindText = (say.keyKinds as Readonly<Record<string, string>>)[keyKind] ?? keyKind;
  const help = helpOf(of);
  const difference = alert === "ggr_differs" ? differenceIn(detail) : undefined;
  const page = help !== undefined && mayAct(role, PLACES[help.page].role) ? help : undefined;
  const needed = help?.acts.map((act) => ACTS[act].role).findLast((least) => !mayAct(role, least));
  const isOften = Number(of.count) > 1;
  // The alert names only the newest of several credits.
  const isAboutAll = isOften && page?.query.kind === "owed";
  return (
    <li class="card" data-alert={alert}>
      <p>
        <strong>{known?.means ?? say.unknown}</strong>
      </p>
      <p>
        {merchant && (
          <>
            <a class="id" href={addressOf("merchant", { code: merchant })}>
              {merchant}
            </a>{" "}
          </>
        )}
        {kindText} {isOften && txId && `· ${say.newest} `}
        {txId && (
          <a class="id" href={addressOf("transaction", { merchant, tx: txId })}>
            {txId}
          </a>
        )}{" "}
        {difference?.off ? differsText(difference.day, difference.off) : <span class="id">{detail}</span>}
      </p>
      {known && (
        <p>
          {say.todo}: {known.act} {needed && say.needs(words.shell.roles[needed])}
        </p>
      )}
      <small>
        {say.times(count(of.count))}, {say.since(time(of.firstAt))},{" "}
        {goesOn(alert) ? say.goesOn : say.last(time(of.lastAt))}.
      </small>
      <details open={known === undefined}>
        <summary>{say.forOperators}</summary>
        {replica && say.replica(replica)} {say.runbook(runbookOf(alert))}
      </details>
      <div class="actions">
        {page && (
          <a class="button small" href={addressOf(page.page, page.query)}>
            {isAboutAll ? say.allOwed(merchant) : words.navigation[page.under]}
          </a>
        )}
        {mayAct(role, "support") && (
          <button type="button" class="button small" onClick={onDone}>
            {say.done}
          </button>
        )}
      </div>
    </li>
  );
}

function differsText(on: string, { isLow, major, currency }: NonNullable<Difference["off"]>): string {
  const { same, low, high } = words.alerts.differs;
  if (Number(major) === 0) return same(day(on));
  return (isLow ? low : high)(day(on), moneyOfMajor(major, currency));
}

interface DoneProps extends ItemProps {
  readonly onClose: () => void;
}

function Done({ of, onDone, onClose }: DoneProps): VNode {
  const say = words.alerts;
  const { alert, merchant, keyKind, lastAt } = of;
  const act = async (reason: string): Promise<void> => {
    try {
      await call("admin.ConsoleService/AcknowledgeAlert", { alert, merchant, keyKind, lastAt, reason });
    } catch (cause) {
      throw cause instanceof Failure && cause.code === "RECORD_NOT_FOUND" ? new Failure("", say.again) : cause;
    }
    onDone();
  };
  return (
    <Ask title={say.doneTitle} act={say.done} reason={say.reason} onAct={act} onClose={onClose}>
      <p class="id">{[merchant, keyKind, alert].filter(Boolean).join(" ")}</p>
      <p>{say.doneText}</p>
    </Ask>
  );
}
