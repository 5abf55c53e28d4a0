import { duration, money, time } from "../../parts/format.ts";
import type { Attempt, AuditEntry, Timeline, TimelineTransaction, Transaction } from "../../service/types.ts";
import { timelineWords, words } from "../../shell/language.ts";

type Tone = "good" | "bad" | "wait" | "plain";

/** One thing that happened to a transaction. */
export interface Moment {
  /** RFC 3339. */
  readonly at: string;
  readonly tone: Tone;
  readonly sentence: string;
  /** Further sentences and facts, as text. */
  readonly details: readonly string[];
  /** What the wallet sent back, as far as it was kept. */
  readonly reply?: string;
  /** The other transaction that the moment is about. */
  readonly txId?: string;
  /** Whether a person only looked. */
  readonly isLook?: boolean;
  /** Equal for repeated calls that ended alike; absent: it is not such a call. */
  readonly alike?: string;
  /** The moments that this one stands for. */
  readonly folded?: readonly Moment[];
}

/** So many further calls that ended alike are shown as one moment. */
const FOLDED_MIN = 2;

const endOf = ({ at, durationMs = 0 }: Attempt): number => Date.parse(at) + durationMs;

/** A wallet's code, with its meaning in words if it is known. */
export function codeText(code: string): string {
  const text = (timelineWords.codes as Readonly<Record<string, string>>)[code];
  return text === undefined ? code : `${code}, ${text}`;
}

/** What the wallet did at a call. */
function answer({ result, durationMs, httpStatus, error = "" }: Attempt): [Tone, string] {
  const say = timelineWords.timeline;
  const took = duration(durationMs ?? 0);
  switch (result ?? "") {
    case "":
      return ["wait", say.noEnd];
    case "accepted":
      return ["good", say.accepted(took)];
    case "rejected":
      return ["bad", say.rejected(took, codeText(error))];
    case "timeout":
      return ["wait", say.timeout(took)];
    case "connect":
      return ["wait", say.connect];
    case "tls":
      return ["wait", say.tls];
    case "http_5xx":
      return ["wait", say.http5xx(httpStatus ?? 500, took)];
    default:
      return ["wait", say.unreadable(took)];
  }
}

/** How a call without an answer ended, in a few words. */
export function endingOf({ result = "", httpStatus }: Pick<Attempt, "result" | "httpStatus">): string {
  const say = timelineWords.timeline.endings;
  if (result === "http_5xx") return httpStatus === undefined ? "HTTP 5xx" : say.http(httpStatus);
  return ENDINGS.some((one) => one === result) ? say[result as (typeof ENDINGS)[number]] : say.unreadable;
}
const ENDINGS = ["timeout", "connect", "tls", "rejected"] as const;

/** What ended a transaction, and the reversal that did it: `refund:ACME:r1`. */
export function endedBy(resolvedBy: string): [text: string, txId: string | undefined] {
  const [, kind = "", txId] = /^(\w+)(?::(.+))?$/s.exec(resolvedBy) ?? [];
  const text = (timelineWords.transaction.ended as Readonly<Record<string, string>>)[kind];
  return text === undefined ? [resolvedBy, undefined] : [text, txId];
}

/** Whether the wallet is asked about a credit now, or as soon as a worker of the service comes to it. */
export function isSending({ transaction: { transaction }, now }: Timeline): boolean {
  const { action, status, inFlight, nextAttemptAt } = transaction;
  if (status !== "pending" || !isCredit(action)) return false;
  return inFlight === true || (nextAttemptAt !== undefined && Date.parse(nextAttemptAt) <= Date.parse(now));
}

const isCredit = (action: Transaction["action"]): boolean => action === "win" || action === "refund";

/** Shows several further calls that ended alike as one moment. People's looks in between do not part them. */
function fold(moments: readonly Moment[]): Moment[] {
  const all: Moment[] = [];
  for (let from = 0; from < moments.length; ) {
    const first = moments[from] as Moment;
    const isAlike = ({ alike, txId }: Moment): boolean => alike === first.alike && txId === first.txId;
    const goesOn = (one: Moment | undefined): boolean => one !== undefined && (isAlike(one) || one.isLook === true);
    let to = from + 1;
    if (first.alike !== undefined) while (goesOn(moments[to])) to++;
    const run = moments.slice(from, to);
    const calls = run.filter(isAlike);
    if (first.alike === undefined || calls.length < FOLDED_MIN) all.push(...run);
    else {
      const say = timelineWords.timeline;
      const last = calls.at(-1) as Moment;
      all.push(
        {
          at: first.at,
          tone: first.tone,
          sentence: say.more(calls.length, first.alike),
          details: [say.last(time(last.at))],
          folded: calls,
          ...(first.txId !== undefined && { txId: first.txId }),
        },
        ...run.filter((one) => !isAlike(one)),
      );
    }
    from = to;
  }
  return all;
}

/** The beginning of a transaction, and each call of the wallet. */
function callsOf({ transaction, attemptLog = [] }: TimelineTransaction, other?: string): Moment[] {
  const say = timelineWords.timeline;
  const { playerId, provider, game, roundId, action, currency } = transaction;
  const about = other === undefined ? {} : { txId: other };
  const born: Moment = {
    at: transaction.createdAt,
    tone: "plain",
    sentence: say.created[action](playerId, money(transaction.amountMinor, currency)),
    details: [say.where(game, provider, roundId)],
    ...about,
  };
  const calls = attemptLog.map((attempt, i): Moment => {
    const before = attemptLog[i - 1];
    const isLast = i === attemptLog.length - 1;
    const [tone, sentence] = answer(attempt);
    const asked = before === undefined ? say.asked : say.askedAgain(duration(Date.parse(attempt.at) - endOf(before)));
    const isBalanceKnown = isLast && attempt.result === "accepted" && transaction.balanceMinor !== undefined;
    return {
      at: notBefore(transaction.createdAt, attempt.at),
      tone,
      sentence: `${asked} ${sentence}`,
      details: [
        ...(isBalanceKnown ? [say.balance(playerId, money(transaction.balanceMinor, currency))] : []),
        ...(attempt.requestId ? [`X-Request-Id ${attempt.requestId}`] : []),
      ],
      ...(attempt.replyStart && { reply: attempt.replyStart }),
      ...(before !== undefined && tone === "wait" && attempt.result && { alike: endingOf(attempt) }),
      ...about,
    };
  });
  return [born, ...calls];
}

/**
 * A replica knows the database's time to a few milliseconds, so a call may seem to precede the transaction's creation.
 */
const notBefore = (earliest: string, at: string): string => (Date.parse(at) < Date.parse(earliest) ? earliest : at);

const LOOK = /^transaction (show|timeline)$/;

/** What people did, as the audit log has it. */
function actsOf(entries: readonly AuditEntry[], merchant: string, txId: string): Moment[] {
  const say = timelineWords.timeline.people;
  return entries.map(({ at, actor, action, target = "", reason = "", changes = [] }): Moment => {
    const other = target.startsWith(`transaction ${merchant} `) ? target.slice(`transaction ${merchant} `.length) : "";
    const evidence = textOf(changes.find(({ field }) => field === "evidence")?.to);
    const status = changes.find(({ field }) => field === "status")?.to ?? "";
    const sentence =
      action === "transaction resend"
        ? say.resent(actor)
        : action === "transaction resolve"
          ? say.closed[status.includes("failed") ? "failed" : "success"](actor)
          : action === "transaction close-contradiction"
            ? say.settled(actor)
            : LOOK.test(action)
              ? say.looked(actor)
              : say.did(actor, action);
    return {
      at,
      tone: "plain",
      sentence,
      details: [
        ...(reason === "" ? [] : [words.audit.because(reason)]),
        ...(evidence === "" ? [] : [say.evidence(evidence)]),
      ],
      ...(other !== "" && other !== txId && { txId: other }),
      ...(LOOK.test(action) && { isLook: true }),
    };
  });
}

/** A text of the audit log, from its JSON. The listing may have only its beginning, which is shown as it is. */
function textOf(json = ""): string {
  try {
    return json === "" ? "" : String(JSON.parse(json));
  } catch {
    return json;
  }
}

/** The life of a transaction in sentences, the oldest first. A look that repeats the one before is left out. */
export function timelineOf({ transaction, related, slip, auditEntries = [] }: Timeline, merchant: string): Moment[] {
  const { txId } = transaction.transaction;
  const moments = [
    ...callsOf(transaction),
    ...(related === undefined ? [] : callsOf(related, related.transaction.txId)),
    ...(slip === undefined ? [] : [slipMoment(slip)]),
    ...actsOf(auditEntries, merchant, txId),
  ];
  const inOrder = moments
    .map((moment, place) => ({ moment, place }))
    .sort((a, b) => Date.parse(a.moment.at) - Date.parse(b.moment.at) || a.place - b.place)
    .map(({ moment }) => moment);
  return fold(inOrder).filter(
    ({ sentence, txId: about }, i, all) => all[i - 1]?.sentence !== sentence || all[i - 1]?.txId !== about,
  );
}

const slipMoment = ({ slipId, createdAt, bets = [] }: NonNullable<Timeline["slip"]>): Moment => ({
  at: createdAt,
  tone: "plain",
  sentence: timelineWords.timeline.slip.came(slipId, bets.length),
  details: [],
});

/** What the transaction's state means for the player's money now. */
export function stateSentence(timeline: Timeline): string {
  const { transaction, attemptLog = [] } = timeline.transaction;
  const say = timelineWords.timeline.state;
  // A call that has not ended has no result.
  const ended = attemptLog.filter(({ result = "" }) => result !== "");
  const isRefused = ended.length > 0 && ended.every(({ result }) => result === "rejected");
  return isSending(timeline) && isRefused
    ? say.creditAgain(transaction.playerId, money(transaction.amountMinor, transaction.currency))
    : sentenceOf(transaction, say);
}

/** What support can tell the player now. */
export const tellSentence = (transaction: Transaction): string => sentenceOf(transaction, timelineWords.timeline.tell);

function sentenceOf(transaction: Transaction, say: typeof timelineWords.timeline.tell): string {
  const amount = money(transaction.amountMinor, transaction.currency);
  const { action, status, playerId } = transaction;
  if (status === "success") return isCredit(action) ? say.credited(playerId, amount) : say.debited(playerId, amount);
  if (status === "failed") return isCredit(action) ? say.owed(playerId, amount) : say.notDebited(playerId, amount);
  return isCredit(action) ? say.creditOpen(playerId, amount) : say.debitOpen(playerId, amount);
}
