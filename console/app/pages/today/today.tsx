import type { VNode } from "preact";
import { Age } from "../../parts/age.tsx";
import { clock, duration } from "../../parts/format.ts";
import { Empty, failureText, Shown } from "../../parts/state.tsx";
import { type Live, useLive } from "../../service/use-live.ts";
import { words } from "../../shell/language.ts";
import { Alerts, type OpenAlerts } from "./alerts.tsx";
import { dayOf, type Today } from "./figures.ts";
import { Merchants } from "./merchants.tsx";
import { Pending } from "./pending.tsx";
import { Revenue } from "./revenue.tsx";
import { Tiles } from "./tiles.tsx";

const EVERY_MS = 15_000;

interface Reply {
  readonly today: Today;
}

/** What happens now, beside the same day of the last week. Nothing on the page moves when its figures change. */
export function TodayPage({ query }: { readonly query: Readonly<Record<string, string>> }): VNode {
  const asked = useLive<Reply>(
    "admin.ConsoleService/GetToday",
    () => ({ from: new Date(dayOf(Date.now())).toISOString() }),
    EVERY_MS,
  );
  const alerts = useLive<OpenAlerts>("admin.ConsoleService/ListAlerts", () => ({}), EVERY_MS);
  const { failure, isLoading } = asked;
  // The alerts stand above the figures, which therefore appear with them.
  const reply = alerts.reply === undefined && alerts.failure === undefined ? undefined : asked.reply;
  const again = (): void => {
    asked.again();
    alerts.again();
  };
  // Older figures stay as they are. The reason of a failure stands below them.
  const shown = {
    ...asked,
    reply,
    again,
    failure: reply === undefined ? failure : undefined,
    isLoading: isLoading && failure === undefined,
  };
  return (
    <section class="today">
      <h1>{words.today.title}</h1>
      <div class="fresh">
        <p>
          {reply === undefined ? words.state.loading : <Age at={asked.at} />}
          <br />
          {words.today.every(duration(EVERY_MS))}
        </p>
        <button type="button" class="button small" onClick={again}>
          {words.state.refresh}
        </button>
      </div>
      <Alerts asked={alerts} />
      <Shown asked={shown}>
        {({ today }: Reply) =>
          (today.merchants ?? []).length === 0 ? (
            <Empty title={words.merchants.none}>{words.merchants.noneText}</Empty>
          ) : (
            <>
              <Tiles today={today} />
              <div class="columns">
                <Revenue today={today} query={query} alerts={alerts.reply?.alerts ?? []} />
                <Merchants today={today} />
                <Pending today={today} />
              </div>
            </>
          )
        }
      </Shown>
      {reply !== undefined && failure !== undefined ? (
        <Failing asked={asked} />
      ) : (
        alerts.reply !== undefined && <Failing asked={alerts} what={words.alerts.failed} />
      )}
    </section>
  );
}

interface FailingProps {
  readonly asked: Live<unknown>;
  /** What is older than the page says; absent: the figures. */
  readonly what?: string;
}

/** Why the figures are not read, and when the page tries again. It stays at the lower edge of the window. */
function Failing({ asked: { failure, at, nextAt }, what }: FailingProps): VNode | null {
  if (failure === undefined) return null;
  return (
    <div class="stale edge" role="alert" data-code={failure.code}>
      <p>
        {what ?? words.state.stale(clock(at))} {failureText(failure)}
      </p>
      <p>{nextAt !== undefined && words.today.next(clock(nextAt))}</p>
    </div>
  );
}
