import type { VNode } from "preact";
import { ALL_MERCHANTS } from "../../parts/filters/all-merchants.ts";
import { type Merchants, useMerchants } from "../../parts/filters/merchant-choice.tsx";
import { lazy } from "../../parts/lazy.tsx";
import { Empty, Shown } from "../../parts/state.tsx";
import type { GgrReport } from "../../service/types.ts";
import { useCall } from "../../service/use-call.ts";
import { readMoreWords, words } from "../../shell/language.ts";
import { addressOf, go } from "../../shell/route.ts";
import { ZONE } from "../../shell/zone.ts";
import { Filters } from "./filters.tsx";
import { isTooBig } from "./limits.ts";
import { COMPARISONS, comparedRange, presetRange, todayIn } from "./ranges.ts";
import { fileOf, ReportView } from "./report-view.tsx";
import { fieldsOf, type Subject } from "./subject.ts";
import { chosenSubject, currenciesOf, nameOf } from "./subject-choice.ts";

// Few readers need these, so their code is no part of the page.
const Currencies = lazy(async () => {
  await readMoreWords();
  return (await import(/* webpackChunkName: "reports-more" */ "./currencies.tsx")).Currencies;
});
const TooBig = lazy(async () => {
  await readMoreWords();
  return (await import(/* webpackChunkName: "reports-more" */ "./too-big.tsx")).TooBig;
});

type Query = Readonly<Record<string, string>>;
interface PageProps {
  readonly query: Query;
}

/** The gross gaming revenue of a merchant, or of all merchants of a currency, as plot and table, beside another range. */
export function Reports({ query }: PageProps): VNode {
  const merchants = useMerchants();
  return (
    <section>
      <h1>{words.reports.title}</h1>
      <p class="lead">{words.reports.lead}</p>
      <Shown asked={merchants}>
        {(reply: Merchants) =>
          (reply.merchants ?? []).length === 0 ? (
            <Empty title={words.merchants.none}>{words.merchants.noneText}</Empty>
          ) : (
            <OfSubject merchants={reply} query={query} subject={chosenSubject(query, reply)} />
          )
        }
      </Shown>
    </section>
  );
}

interface OfSubjectProps extends PageProps {
  readonly merchants: Merchants;
  readonly subject: Subject;
}

function OfSubject({ merchants, subject, query }: OfSubjectProps): VNode {
  const tz = query.tz ?? ZONE;
  const week = presetRange("week", todayIn(ZONE));
  const range = { from: query.from || week.from, to: query.to || week.to };
  const comparison = COMPARISONS.find((one) => one === query.compare) ?? "before";
  const other = comparedRange(range, comparison, query.compareFrom);
  const { by = "day", type = "", provider = "" } = query;
  const isOfAll = subject === ALL_MERCHANTS;
  const shared = { ...fieldsOf(subject), groupBy: by, tz, type, provider };
  const asked = useCall<GgrReport>(isOfAll ? null : RPC, { ...shared, ...range });
  // The compared days are asked for after the first answer, so that they do not delay it.
  const comparedRpc = other === null || asked.reply === undefined ? null : RPC;
  const compared = useCall<GgrReport>(comparedRpc, { ...shared, ...other });
  const types = words.reports.types as Readonly<Record<string, string>>;
  const about = [nameOf(subject), types[type] ?? type, provider].filter(Boolean).join(", ");
  const { failure } = asked;
  const tooBig = failure !== undefined && isTooBig(failure, range) ? failure : undefined;
  const { from, to } = words.reports;
  const labels = { from, to };
  const full = { ...query, merchant: subject, ...range, tz, by, compare: comparison };
  const currencies = currenciesOf(merchants);
  return (
    <>
      <Filters
        key={JSON.stringify(full)}
        merchants={merchants}
        query={full}
        onQuery={(next: Query) => go("reports", next)}
      />
      {currencies.length > 1 && !isOfAll && (
        <p>
          <a href={addressOf("reports", { ...full, merchant: ALL_MERCHANTS })}>{words.reports.sideBySide}</a>
        </p>
      )}
      {isOfAll && (
        <Currencies
          rpc={RPC}
          currencies={currencies}
          request={{ tz, type, provider }}
          query={full}
          range={range}
          otherRange={other}
        />
      )}
      {tooBig && (
        <TooBig
          key={JSON.stringify(full)}
          rpc={RPC}
          request={shared}
          range={range}
          failure={tooBig}
          file={fileOf(subject, range, by)}
        />
      )}
      {!tooBig && !isOfAll && (
        <Shown asked={asked} labels={labels}>
          {(report: GgrReport) => (
            <ReportView
              report={report}
              range={range}
              other={compared.reply}
              otherRange={other}
              otherFailure={compared.failure}
              subject={subject}
              about={about}
              comparison={comparison}
              query={full}
            />
          )}
        </Shown>
      )}
    </>
  );
}

const RPC = "operator.ReportService/GetGgrReport";
