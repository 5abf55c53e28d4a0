import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useDone } from "../../parts/done.tsx";
import { Facts } from "../../parts/fields.tsx";
import { money, time } from "../../parts/format.ts";
import { Empty, Shown } from "../../parts/state.tsx";
import type { Timeline, TimelineSlip } from "../../service/types.ts";
import { useCall } from "../../service/use-call.ts";
import { moreWords, timelineWords, words } from "../../shell/language.ts";
import { addressOf } from "../../shell/route.ts";
import { Acts } from "./acts.tsx";
import { kindText, StatusBadge } from "./listing.tsx";
import { codeText, endedBy, isSending, type Moment, stateSentence, tellSentence, timelineOf } from "./timeline.ts";

/** The pauses before the page looks for the wallet's answer again, in ms. Each look is in the audit log. */
const LOOKS_MS = [1_000, 1_000, 2_000, 2_000, 4_000, 4_000, 8_000, 8_000, 16_000, 16_000];

interface Reply {
  readonly timeline: Timeline;
}

interface PageProps {
  readonly query: Readonly<Record<string, string>>;
}

/** One transaction: what its state means for the player's money, and how it came to it. */
export function TransactionPage({ query }: PageProps): VNode {
  const { merchant = "", tx = "" } = query;
  const asked = useCall<Reply>(merchant === "" || tx === "" ? null : "admin.ConsoleService/GetTimeline", {
    merchant,
    txId: tx,
  });
  const [done, finished] = useDone(asked.again);
  const say = timelineWords.transaction;
  return (
    <section>
      <p>
        <a href={addressOf("transactions", { merchant })}>{say.back}</a>
      </p>
      <h1 class="id">{tx}</h1>
      {done}
      {merchant === "" || tx === "" ? (
        <Empty title={say.none} />
      ) : (
        <Shown asked={asked}>
          {(reply: Reply) => <Life reply={reply} merchant={merchant} onDone={finished} again={asked.again} />}
        </Shown>
      )}
    </section>
  );
}

interface LifeProps {
  readonly reply: Reply;
  readonly merchant: string;
  readonly onDone: (done: string) => void;
  readonly again: () => void;
}

function Life({ reply, merchant, onDone, again }: LifeProps): VNode {
  const { timeline } = reply;
  const { transaction } = timeline.transaction;
  const say = timelineWords.transaction;
  const sending = isSending(timeline);
  const looks = useRef(0);
  useEffect(() => {
    if (!sending) looks.current = 0;
    const pause = sending ? LOOKS_MS[looks.current] : undefined;
    if (pause === undefined) return;
    const timer = setTimeout(() => {
      looks.current++;
      again();
    }, pause);
    return () => clearTimeout(timer);
  }, [reply]);
  const [ended, endedTx] = endedBy(transaction.resolvedBy ?? "");
  const to = (more: Readonly<Record<string, string>>) => addressOf("transactions", { merchant, ...more });
  const { roundId, playerId, provider, game } = transaction;
  return (
    <>
      <div class="card verdict">
        <StatusBadge of={transaction} />
        <div aria-live="polite">
          <p class="lead">{stateSentence(timeline)}</p>
          {transaction.status === "pending" && (
            <p>
              {sending
                ? say.sending
                : transaction.nextAttemptAt
                  ? say.next(time(transaction.nextAttemptAt))
                  : say.noNext[transaction.action]}
            </p>
          )}
        </div>
        <p data-tell>
          <strong>{say.tell}:</strong> {timeline.contradiction ? say.tellNothing : tellSentence(transaction)}
        </p>
        {timeline.resendable && !sending && (
          <p data-safe>
            <strong>{timelineWords.acts.resend}:</strong> {say.safe}
          </p>
        )}
        {timeline.contradiction && <p data-contradiction>{say.contradiction}</p>}
        <div class="actions">
          <Acts timeline={timeline} merchant={merchant} onDone={onDone} />
          <button type="button" class="button" onClick={again}>
            {words.state.refresh}
          </button>
        </div>
      </div>
      <div class="columns">
        <section aria-labelledby="timeline-title">
          <h2 id="timeline-title">{say.timeline}</h2>
          <ol class="timeline">
            {timelineOf(timeline, merchant).map((moment, i) => (
              <Step key={i} moment={moment} merchant={merchant} />
            ))}
          </ol>
        </section>
        <section aria-labelledby="facts-title">
          <h2 id="facts-title">{say.facts}</h2>
          <Facts
            facts={[
              [words.transactions.action, words.transactions.actions[transaction.action]],
              [words.transactions.kind, kindText(transaction)],
              [words.transactions.promotion, transaction.promoId],
              [
                words.transactions.jackpot,
                transaction.jackpot && [transaction.jackpot.id, transaction.jackpot.tier].filter(Boolean).join(", "),
              ],
              [words.transactions.amount, money(transaction.amountMinor, transaction.currency)],
              [words.merchants.merchant, <a href={addressOf("merchant", { code: merchant })}>{merchant}</a>],
              [words.transactions.player, <a href={to({ player: playerId })}>{playerId}</a>],
              [
                words.transactions.round,
                <>
                  <a href={to({ round: roundId })}>{roundId}</a>
                  {(timeline.roundState === "open" || timeline.roundState === "ended") && (
                    <>
                      <br />
                      <small>
                        {moreWords.rounds.states[timeline.roundState]}
                        {timeline.roundEndedAt && `, ${time(timeline.roundEndedAt)}`}
                      </small>
                    </>
                  )}
                </>,
              ],
              [words.transactions.game, `${provider} / ${game}`],
              [
                say.reverses,
                transaction.refTxId && (
                  <a href={addressOf("transaction", { merchant, tx: transaction.refTxId })}>{transaction.refTxId}</a>
                ),
              ],
              [words.transactions.settledBy, transaction.settledBy],
              [words.transactions.error, transaction.error && codeText(transaction.error)],
              [
                say.endedBy,
                transaction.resolvedBy && (
                  <>
                    {ended}
                    {endedTx && (
                      <>
                        {" "}
                        <a href={addressOf("transaction", { merchant, tx: endedTx })}>{endedTx}</a>
                      </>
                    )}
                  </>
                ),
              ],
              [say.created, time(transaction.createdAt)],
              [say.changed, time(transaction.updatedAt)],
            ]}
          />
          {timeline.slip && <Slip slip={timeline.slip} merchant={merchant} currency={transaction.currency} />}
        </section>
      </div>
    </>
  );
}

function Step({ moment, merchant }: { readonly moment: Moment; readonly merchant: string }): VNode {
  const { at, tone, sentence, details, reply, txId, folded } = moment;
  return (
    <li data-tone={tone}>
      <time datetime={at}>{time(at)}</time>
      <p>{sentence}</p>
      {details.map((detail) => (
        <small>{detail}</small>
      ))}
      {txId && (
        <p>
          <a href={addressOf("transaction", { merchant, tx: txId })}>{txId}</a>
        </p>
      )}
      {folded && (
        <details>
          <summary>{timelineWords.transaction.each}</summary>
          <ol class="timeline">
            {folded.map((one, i) => (
              <Step key={i} moment={one} merchant={merchant} />
            ))}
          </ol>
        </details>
      )}
      {reply && (
        <details>
          <summary>{timelineWords.transaction.reply}</summary>
          <pre>{reply}</pre>
        </details>
      )}
    </li>
  );
}

interface SlipProps {
  readonly slip: TimelineSlip;
  readonly merchant: string;
  readonly currency: string;
}

/** The slip of a sportsbook bet, with its other bets. */
function Slip({ slip, merchant, currency }: SlipProps): VNode {
  const say = timelineWords.timeline.slip;
  const { slipId, status, failedTxId, failure = "", unfinished, bets = [] } = slip;
  return (
    <>
      <h2>{say.title(slipId)}</h2>
      <p>
        {status === "failed" && failedTxId ? say.failed(failedTxId, codeText(failure)) : say.statuses[status]}{" "}
        {unfinished ? say.unfinished : ""}
      </p>
      <ul class="links">
        {bets.map(({ txId, amountMinor, status: state, reversedBy }) => (
          <li key={txId}>
            <a class="id" href={addressOf("transaction", { merchant, tx: txId })}>
              {txId}
            </a>{" "}
            {money(amountMinor, currency)}
            {state ? (
              <>
                {" "}
                <StatusBadge of={{ status: state }} />
              </>
            ) : (
              <> {say.notSent}</>
            )}
            {reversedBy && (
              <>
                {" "}
                <small>{timelineWords.timeline.reversed(reversedBy)}</small>
              </>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
