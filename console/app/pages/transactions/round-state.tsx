import type { VNode } from "preact";
import { Badge } from "../../parts/badge.tsx";
import { time } from "../../parts/format.ts";
import { useCall } from "../../service/use-call.ts";
import { moreWords, words } from "../../shell/language.ts";

interface Props {
  readonly merchant: string;
  readonly provider: string;
  readonly roundId: string;
}

interface Reply {
  readonly state?: "open" | "ended" | "unknown";
  /** RFC 3339. */
  readonly endedAt?: string;
}

/** Whether a round is open or has ended, also if it has no transactions. Nothing if its provider does not say so. */
export function RoundState({ merchant, provider, roundId }: Props): VNode | null {
  const { reply } = useCall<Reply>("operator.TransactionService/GetRound", { merchant, provider, roundId, limit: 1 });
  if (reply?.state !== "open" && reply?.state !== "ended") return null;
  return (
    <p class="effect">
      {words.transactions.round} <span class="id">{roundId}</span>{" "}
      <Badge tone={reply.state === "open" ? "wait" : "good"} text={moreWords.rounds.states[reply.state]} />
      {reply.endedAt !== undefined && <time datetime={reply.endedAt}> {time(reply.endedAt)}</time>}
    </p>
  );
}
