import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Whole } from "../../parts/amount.ts";
import { clock, money, time } from "../../parts/format.ts";
import { Failed } from "../../parts/state.tsx";
import { call } from "../../service/call.ts";
import { Failure } from "../../service/failure.ts";
import type { Transaction } from "../../service/types.ts";
import { timelineWords } from "../../shell/language.ts";
import { addressOf } from "../../shell/route.ts";

interface Finding {
  readonly text?: string;
  readonly balanceMinor?: Whole;
}

/** What the wallet answered. */
interface Answer {
  readonly finding: Finding;
  /** When the answer came, in ms since 1970. */
  readonly at: number;
}

interface BalanceProps {
  readonly merchant: string;
  readonly player: string;
  readonly currency: string;
  /** The transaction with the newest balance that the service knows. */
  readonly known: Transaction | undefined;
  /** The sum of the credits that the wallet refused. */
  readonly missing: string | undefined;
}

/** The balance that the service last knew, and the wallet's own answer on demand. The query moves no money. */
export function Balance({ merchant, player, currency, known, missing }: BalanceProps): VNode {
  const say = timelineWords.player;
  const [isAsking, setAsking] = useState(false);
  const [answer, setAnswer] = useState<Answer | Failure>();
  const ask = (): void => {
    setAsking(true);
    call<Finding>("admin.MerchantAdminService/PingWallet", { code: merchant, player })
      .then(
        (finding) => setAnswer({ finding, at: Date.now() }),
        (cause: unknown) => setAnswer(cause instanceof Failure ? cause : new Failure("NOT_READABLE", String(cause))),
      )
      .finally(() => setAsking(false));
  };
  return (
    <>
      <p>
        {known === undefined ? (
          say.noBalance
        ) : (
          <>
            {say.known(money(known.balanceMinor, currency), time(known.updatedAt))}{" "}
            <a class="id" href={addressOf("transaction", { merchant, tx: known.txId })}>
              {known.txId}
            </a>
          </>
        )}
      </p>
      <div class="line">
        <button type="button" class="button primary" disabled={isAsking} onClick={ask}>
          {isAsking ? say.asking : say.ask}
        </button>
        <div class="said">
          <div aria-live="polite">
            {answer instanceof Failure && <Failed failure={answer} />}
            {answer !== undefined && !(answer instanceof Failure) && (
              <Said answer={answer} currency={currency} known={known} missing={missing} />
            )}
          </div>
          <small>{say.askHint}</small>
        </div>
      </div>
    </>
  );
}

interface SaidProps extends Pick<BalanceProps, "currency" | "known" | "missing"> {
  readonly answer: Answer;
}

/** What the wallet says, beside what the service last knew. */
function Said({ answer: { finding, at }, currency, known, missing }: SaidProps): VNode {
  const say = timelineWords.player;
  if (finding.balanceMinor === undefined)
    return (
      <>
        <p class="fault">{say.noAnswer}</p>
        <p lang="en">{finding.text}</p>
      </>
    );
  const more = BigInt(finding.balanceMinor) - BigInt(known?.balanceMinor ?? 0);
  const difference = money(String(more < 0n ? -more : more), currency);
  return (
    <>
      <p>
        <strong>{say.says(money(finding.balanceMinor, currency), clock(at))}</strong>{" "}
        {known !== undefined && (more === 0n ? say.same : more > 0n ? say.above(difference) : say.below(difference))}
        {missing !== undefined && (known === undefined || more <= 0n) && ` ${say.stillMissing(missing)}`}
      </p>
      {known !== undefined && more !== 0n && (
        <p>
          <small>{say.why}</small>
        </p>
      )}
    </>
  );
}
