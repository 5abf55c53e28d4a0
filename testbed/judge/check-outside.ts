/** Judges a run from outside. The code is pure, so tests can pass records with planted faults. */
import { toDecimal } from "../../sandbox/merchant/ledger.ts";
import { NOT_FOUND } from "../../src/domain/transaction/reversal.ts";
import {
  answerOf,
  type Content,
  isCredit,
  isReversal,
  NEVER,
  type Transaction,
} from "../../src/domain/transaction/transaction.ts";
import { CARRIED } from "../../src/domain/values/carried.ts";
import { keyText, type TxId } from "../../src/domain/values/identifiers.ts";
import { contradictions } from "./check-replies.ts";
import { checkSums } from "./check-sums.ts";
import { difference, type OutsideRecord, type Violation, violation, type WalletCall } from "./record.ts";
import { RecordIndex } from "./record-index.ts";

/**
 * The violations that can be found without data from inside the service's processes: from the providers, the wallets,
 * and the database at the end. The simulation also records data inside its processes, and
 * test/simulation/judge/check-inside.ts judges the other invariants with these data.
 */
export function checkOutside(record: OutsideRecord): Violation[] {
  const index = new RecordIndex(record);
  return [
    ...record.bugs.map((bug): Violation => ({ invariant: "I0", key: "", what: bug })),
    ...appliedOnce(record, index),
    ...asRequested(record, index),
    ...nothingLost(record, index),
    ...contradictions(record),
    ...repliesMatchRows(record, index),
    ...rowsTellTheTruth(record, index),
    ...creditsEnd(record),
    ...reversals(record, index),
    ...rejectionsAreFinal(record, index),
    ...oneCallAtATime(index),
    ...checkSums(record),
    ...bodies(record),
  ];
}

/** Whether the service must still bring a credit, or a rollback that it delivers, to its end. A win waits while its rollback is pending. */
export function isOpenCredit(row: Transaction, find: (key: string) => Transaction | undefined): boolean {
  const isLeftToService = row.action === "rollback" && row.nextAt !== null && row.nextAt !== NEVER;
  if (row.status !== "pending" || (!isCredit(row.action) && !isLeftToService)) return false;
  if (isLeftToService) return true;
  const rollback =
    row.reversedBy === null ? undefined : find(keyText({ merchantId: row.merchantId, txId: row.reversedBy }));
  return row.action === "refund" || rollback?.status !== "pending";
}

/** I1: an id has at most one effect, and exactly one if a provider got SUCCESS for it. */
function appliedOnce({ operations }: OutsideRecord, index: RecordIndex): Violation[] {
  const twice = [...index.effects]
    .filter(([, effects]) => effects.length > 1)
    .map(([key, effects]) => violation("I1", key, `applied ${effects.length} times`));
  const never = operations.flatMap(({ content, outcome }) => {
    if (outcome.kind !== "ok" || outcome.status !== "success") return [];
    const key = keyText({ merchantId: content.merchantId, txId: outcome.txId as TxId });
    return index.effects.has(key) ? [] : [violation("I1", key, "told as a success and never applied")];
  });
  return [...twice, ...never];
}

/** I2: every call of a wallet has exactly the content that a provider sent. */
function asRequested({ calls, forgotten }: OutsideRecord, index: RecordIndex): Violation[] {
  const strange = calls.filter(
    ({ content }) =>
      !(index.operations.get(keyText(content)) ?? []).some(
        (one) => difference(withoutBet(one.content), withoutBet(content)) === undefined,
      ),
  );
  const unsent = [...index.effects.keys()].filter((key) => !index.calls.has(key) && !forgotten.has(key));
  return [
    ...strange.map(({ content }) => violation("I2", keyText(content), "sent, but no provider asked for it")),
    ...unsent.map((key) => violation("I2", key, "applied, but never sent")),
  ];
}

/** A transaction as a wallet sees it: the wallet does not learn the bet that a win names. */
const withoutBet = ({ bet: _, ...content }: Content): Content => content;

/**
 * I3: there is a row for everything that a provider was promised or a wallet applied. PENDING for a bet or rollback is
 * not a promise, because the provider must repeat or refund it.
 */
function nothingLost({ operations, rows, forgotten }: OutsideRecord, index: RecordIndex): Violation[] {
  const effects = [...index.effects.keys()]
    .filter((key) => !rows.has(key) && !forgotten.has(key))
    .map((key) => violation("I3", key, "applied, but there is no row"));
  const promised = operations.flatMap(({ content, outcome }) => {
    if (outcome.kind !== "ok" || (outcome.status === "pending" && !isCredit(content.action))) return [];
    const row = index.row(content.merchantId, outcome.txId);
    return row === undefined || row.status === "void"
      ? [
          violation(
            "I3",
            keyText({ ...content, txId: outcome.txId as TxId }),
            `told ${outcome.status}, but there is no row`,
          ),
        ]
      : [];
  });
  return [...effects, ...promised];
}

/** I4: a provider's final answer is the row's status at the end. A rejected credit may have been sent again since. */
function repliesMatchRows({ operations }: OutsideRecord, index: RecordIndex): Violation[] {
  return operations.flatMap(({ content, outcome }) => {
    if (
      outcome.kind !== "ok" ||
      outcome.status === "pending" ||
      (outcome.status === "failed" && isCredit(content.action))
    )
      return [];
    const row = index.row(content.merchantId, outcome.txId);
    const kept = row === undefined ? "nothing" : answerOf(row).status;
    return kept === outcome.status
      ? []
      : [
          violation(
            "I4",
            keyText({ ...content, txId: outcome.txId as TxId }),
            `told ${outcome.status}, but its row says ${kept}`,
          ),
        ];
  });
}

/**
 * I5: a row is a success if and only if the wallet applied it, and failed only if the wallet did not. There is one
 * exception: a credit that was rejected after an unanswered attempt. A late copy of it may have been applied, and an
 * alert reports it.
 */
function rowsTellTheTruth({ rows, forgotten, closedUnseen }: OutsideRecord, index: RecordIndex): Violation[] {
  return [...rows].flatMap(([key, { transaction: row }]) => {
    if (closedUnseen?.has(key)) return [];
    const effect = index.effects.get(key)?.[0];
    const applied = effect !== undefined;
    if (row.status === "success" && !applied) return [violation("I5", key, "success, but never applied")];
    if (row.status === "success" && effect?.deltaMinor !== signed(row))
      return [violation("I5", key, `success of ${signed(row)}, but ${effect?.deltaMinor} was applied`)];
    if (row.status === "void" && applied && !forgotten.has(key)) return [violation("I5", key, "void, but applied")];
    const excused = row.status === "failed" && isCredit(row.action) && row.silentAt !== null && row.error !== NOT_FOUND;
    return row.status === "failed" && applied && !excused
      ? [violation("I5", key, `failed with ${row.error}, but applied`)]
      : [];
  });
}

const signed = (row: Transaction): bigint =>
  row.action === "bet" || row.action === "rollback" ? -row.amountMinor : row.amountMinor;

/** I6: after all faults have healed, every credit comes to its end by itself. */
function creditsEnd({ healed, rows }: OutsideRecord): Violation[] {
  if (!healed) return [];
  const open = [...rows].filter(([, { transaction }]) =>
    isOpenCredit(transaction, (key) => rows.get(key)?.transaction),
  );
  return open.map(([key]) => violation("I6", key, "a credit that never ended"));
}

/**
 * I7: original and reversal have no effect together, the original is not sent after its reversal, and an original has
 * only one reversal for ever.
 */
function reversals({ rows, calls, forgotten, closedUnseen }: OutsideRecord, index: RecordIndex): Violation[] {
  const sentBy = Map.groupBy(
    calls.filter(({ content }) => content.refTxId !== null),
    ({ content }) => keyText({ merchantId: content.merchantId, txId: content.refTxId as TxId }),
  );
  const several = [...sentBy]
    .filter(([, sent]) => new Set(sent.map(({ content }) => content.txId)).size > 1)
    .map(([key]) => violation("I7", key, "two reversals reached the wallet"));
  const after = [...sentBy].flatMap(([key, sent]) => {
    const first = sent[0] as WalletCall;
    const rollback = index.row(first.content.merchantId, first.content.txId);
    const freed = rollback?.action === "rollback" && rollback.status === "failed" && rollback.error !== NOT_FOUND;
    const begunAt = Math.min(...sent.map((call) => call.begunAt));
    const late = !freed && (index.calls.get(key) ?? []).some((call) => call.begunAt > begunAt);
    return late ? [violation("I7", key, "sent after its reversal was")] : [];
  });
  const unequal = [...rows].flatMap(([key, { transaction: reversal }]) => {
    if (!isReversal(reversal.action) || reversal.refTxId === null || closedUnseen?.has(key)) return [];
    const original = keyText({ merchantId: reversal.merchantId, txId: reversal.refTxId });
    const over =
      reversal.status === "success" ||
      (reversal.status === "failed" && reversal.error === NOT_FOUND && !forgotten.has(original));
    if (!over) return [];
    const effects = [key, original].flatMap((one) => index.effects.get(one) ?? []);
    const net = effects.reduce((sum, { deltaMinor }) => sum + deltaMinor, 0n);
    return net === 0n ? [] : [violation("I7", key, `with its original it comes to ${net}`)];
  });
  return [...several, ...after, ...unequal];
}

/**
 * I8: a bet or rollback whose provider got FAILED is never sent again, and other content with the same id gets a
 * mismatch.
 */
function rejectionsAreFinal({ operations }: OutsideRecord, index: RecordIndex): Violation[] {
  const taken = operations.flatMap(({ content, outcome }) => {
    const row = outcome.kind === "ok" ? index.row(content.merchantId, outcome.txId) : undefined;
    const field =
      row === undefined || (outcome.kind === "ok" && outcome.status === "pending")
        ? undefined
        : difference(row, content);
    return field === undefined ? [] : [violation("I8", keyText(content), `answered, although its ${field} is another`)];
  });
  const again = operations.flatMap(({ content, endedAt, outcome }) => {
    if (outcome.kind !== "ok" || outcome.status !== "failed" || isCredit(content.action) || endedAt === null) return [];
    const key = keyText({ ...content, txId: outcome.txId as TxId });
    return (index.calls.get(key) ?? []).some((call) => call.begunAt > endedAt)
      ? [violation("I8", key, "sent after its provider was told that it had failed")]
      : [];
  });
  return [...taken, ...again];
}

/** I9: one call at a time, unless a process stood still inside a call or the database's clock stepped forward. */
function oneCallAtATime(index: RecordIndex): Violation[] {
  return [...index.calls].flatMap(([key, calls]) => {
    const inOrder = calls.toSorted((a, b) => a.begunAt - b.begunAt);
    const overlap = inOrder.some((call, i) => {
      const next = inOrder[i + 1];
      return next !== undefined && next.begunAt < index.endOf(call) && !index.mayOutliveItsLease(call);
    });
    return overlap ? [violation("I9", key, "two calls at once")] : [];
  });
}

/** I12: the sent bytes have the requested content, and the amount is in its exact, shortest form. */
function bodies({ calls }: OutsideRecord): Violation[] {
  return calls
    .filter(({ content, body }) => !bodyMatches(content, body))
    .map(({ content, body }) => violation("I12", keyText(content), body));
}

function bodyMatches(content: Content, body: string): boolean {
  const { amount, ...rest } = JSON.parse(body) as Record<string, unknown>;
  const wanted = {
    action: content.action,
    player_id: content.playerId,
    currency: content.currency,
    provider: content.game.provider,
    game: content.game.code,
    tx_id: content.txId,
    ...(content.roundEnded && { round_ended: true }),
  };
  const carried = CARRIED.flatMap(({ name, property }) => {
    const text = content[property] ?? null;
    return text === null ? [] : [[name, text] as const];
  });
  const labels = Object.entries({ kind: content.labels?.kind, promo_id: content.labels?.promoId }).filter(
    ([, label]) => label != null,
  );
  const literal = /"amount":([^,}]+)/.exec(body)?.[1];
  return (
    literal === String(Number(toDecimal(content.amountMinor, content.currency))) &&
    Number(literal) === amount &&
    JSON.stringify(Object.entries(rest).sort()) ===
      JSON.stringify([...Object.entries(wanted), ...carried, ...labels].sort())
  );
}
