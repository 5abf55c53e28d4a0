import type { VNode } from "preact";
import { Facts } from "../../parts/fields.tsx";
import { count, dayAndHour, duration, hourOfDay, minute, time } from "../../parts/format.ts";
import { Plot, type PlotColour, type Series } from "../../parts/plot.tsx";
import { Empty, Shown } from "../../parts/state.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { StateBadge, sinceText } from "../../parts/wallet-health.tsx";
import { useCall } from "../../service/use-call.ts";
import { callsOf, type Health, KINDS, type Verdict } from "../../service/wallet-health.ts";
import { moreWords, words } from "../../shell/language.ts";
import { addressOf } from "../../shell/route.ts";
import { useSpan } from "./spans.ts";
import { Hints, SpanChoice } from "./wallets.tsx";

const DAY_MS = 24 * 3_600_000;

interface Point {
  readonly at: string;
  readonly health?: Health;
}

interface Reply {
  readonly from: string;
  readonly to: string;
  readonly stepMs: number;
  readonly points?: readonly Point[];
  readonly total?: Health;
  readonly verdict?: Verdict;
}

const COLOURS: Readonly<Record<(typeof KINDS)[number], PlotColour>> = {
  accepted: "good",
  rejected: "info",
  timeout: "wait",
  http5xx: "bad",
  unreadable: "violet",
  unreachable: "muted",
};

/** One merchant's wallet over time: its answers by kind, how long they took, and what the circuit breaker allowed. */
export function WalletPage({ query }: { readonly query: Readonly<Record<string, string>> }): VNode {
  const { merchant = "" } = query;
  const say = { ...words.wallets, ...moreWords.wallets };
  const { span, range, again } = useSpan(query.span);
  const asked = useCall<Reply>("admin.ConsoleService/GetWalletHealth", { merchant, ...range });
  return (
    <section>
      <p>
        <a href={addressOf("wallets", { span })}>{say.back}</a>
      </p>
      <h1 class="id">{merchant}</h1>
      <SpanChoice page="wallet" query={query} span={span} />
      <Shown asked={asked}>
        {(reply: Reply) => (
          <>
            <OverTime reply={reply} />
            <div class="actions">
              <button type="button" class="button" onClick={again}>
                {words.state.refresh}
              </button>
              <a href={addressOf("merchant", { code: merchant })}>{say.itsSettings}</a>
            </div>
          </>
        )}
      </Shown>
    </section>
  );
}

function OverTime({ reply }: { readonly reply: Reply }): VNode {
  const say = { ...words.wallets, ...moreWords.wallets };
  const { total = {}, verdict } = reply;
  const since = sinceText(verdict);
  const points = withGaps(reply);
  if (callsOf(total) === 0 && total.breakerPermits === undefined) return <Empty title={say.none}>{say.noneText}</Empty>;
  const at = (place: number): string => points[place]?.at ?? reply.from;
  const isOneDay = Date.parse(reply.to) - Date.parse(reply.from) <= DAY_MS;
  const xText = (place: number): string => (isOneDay ? hourOfDay : dayAndHour)(Date.parse(at(place)));
  const placeText = (place: number): string => minute(at(place));
  const seen = KINDS.filter((kind) => Number(total[kind] ?? 0) > 0);
  const lines = (["p50Ms", "p95Ms", "p99Ms"] as const).map(
    (name, i): Series => ({
      label: name.slice(0, 3),
      colour: (["good", "info", "wait"] as const)[i] ?? "muted",
      kind: "line",
      values: points.map(({ health }) => health?.[name] ?? null),
    }),
  );
  return (
    <>
      {since && (
        <p>
          <strong>{since}</strong>
        </p>
      )}
      <Facts
        facts={[
          [say.state, <StateBadge of={verdict} hadCalls />],
          [say.calls, count(callsOf(total))],
          ...seen.map((kind) => [say.kinds[kind], count(total[kind])] as const),
          [
            "p50 / p95 / p99",
            [total.p50Ms, total.p95Ms, total.p99Ms].map((ms) => (ms === undefined ? "–" : duration(ms))).join(" / "),
          ],
          [say.places, total.permits !== undefined && `${count(total.permitsHeld)} / ${count(total.permits)}`],
          [say.breaker, total.breakerPermits === undefined ? say.closed : say.states.limited(total.breakerPermits)],
        ]}
      />
      <Hints />
      <p>
        <small>{say.step(duration(reply.stepMs))}</small>
      </p>
      <h2>{say.answers}</h2>
      <Plot
        label={say.answersPlot}
        series={stacked(points, seen)}
        places={points.length}
        xText={xText}
        placeText={placeText}
        yText={(value: number) => count(Math.round(value))}
      />
      <h2>{say.durations}</h2>
      <Plot
        label={say.durationsPlot}
        series={lines}
        places={points.length}
        xText={xText}
        placeText={placeText}
        yText={(value: number) => duration(value)}
      />
      <h2>{say.held}</h2>
      <Plot
        label={say.heldPlot}
        series={heldSeries(points)}
        places={points.length}
        xText={xText}
        placeText={placeText}
        yText={(value: number) => count(Math.round(value))}
      />
      <details>
        <summary>{say.points}</summary>
        <Table
          caption={say.points}
          columns={columnsOf(seen)}
          rows={points.filter(({ health }) => health !== undefined)}
          keyOf={({ at }: Point) => at}
        />
      </details>
    </>
  );
}

/** Every step of the time. The reply leaves out those in which nothing was called. */
function withGaps({ from, to, stepMs, points = [] }: Reply): Point[] {
  const known = new Map(points.map((point) => [Date.parse(point.at), point]));
  const begin = Date.parse(from);
  const steps = Math.max(1, Math.round((Date.parse(to) - begin) / stepMs));
  return Array.from({ length: steps }, (_, i) => {
    const at = begin + i * stepMs;
    return known.get(at) ?? { at: new Date(at).toISOString() };
  });
}

/** The kinds on top of each other: the highest is drawn first, and the others cover it. */
function stacked(points: readonly Point[], kinds: readonly (typeof KINDS)[number][]): Series[] {
  const own = (kind: (typeof KINDS)[number]) => points.map(({ health }) => Number(health?.[kind] ?? 0));
  return kinds
    .map((kind, i): Series => {
      const below = kinds.slice(0, i + 1).map(own);
      return {
        label: moreWords.wallets.kinds[kind],
        colour: COLOURS[kind],
        kind: "stack",
        values: points.map((_, place) => below.reduce((sum, values) => sum + (values[place] ?? 0), 0)),
        shown: own(kind),
      };
    })
    .reverse();
}

/** The calls that ran at once, the limit of the circuit breaker while it was open, and that of the service. */
function heldSeries(points: readonly Point[]): Series[] {
  const say = { ...words.wallets, ...moreWords.wallets };
  const of = (value: (health: Health) => number | undefined) =>
    points.map(({ health }) => (health?.permits === undefined ? null : (value(health) ?? null)));
  return [
    { label: say.atOnce, colour: "violet", kind: "bars", values: of(({ permitsHeld = 0 }) => permitsHeld) },
    { label: say.breaker, colour: "bad", kind: "bars", values: of(({ breakerPermits }) => breakerPermits) },
    { label: say.limit, colour: "muted", kind: "line", values: of(({ permits }) => permits) },
  ];
}

function columnsOf(kinds: readonly (typeof KINDS)[number][]): Column<Point>[] {
  const say = { ...words.wallets, ...moreWords.wallets };
  return [
    { title: say.at, isName: true, cell: ({ at }) => time(at) },
    ...kinds.map(
      (kind): Column<Point> => ({
        title: say.kinds[kind],
        isFigure: true,
        cell: ({ health }) => count(health?.[kind]),
      }),
    ),
    ...(["p50Ms", "p95Ms", "p99Ms"] as const).map(
      (name): Column<Point> => ({
        title: name.slice(0, 3),
        isFigure: true,
        cell: ({ health }) => (health?.[name] === undefined ? "–" : duration(health[name])),
      }),
    ),
    {
      title: say.places,
      isFigure: true,
      cell: ({ health }) =>
        health?.permits === undefined ? "–" : `${count(health.permitsHeld)} / ${count(health.permits)}`,
    },
    {
      title: say.breaker,
      cell: ({ health }) =>
        health?.breakerPermits === undefined ? say.closed : say.states.limited(health.breakerPermits),
    },
  ];
}
