/** What follows a restore of the database to an earlier moment: the lost rows, reconciliation, and the repeats. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { reconcile } from "../../../reconcile/reconcile.ts";
import { ledgerCsv } from "../../../sandbox/merchant/ledger-csv.ts";
import { isCredit } from "../../../src/domain/transaction/transaction.ts";
import { keyText, type TxId } from "../../../src/domain/values/identifiers.ts";
import { type Operation, type Outcome, type Violation, violation } from "../../../testbed/judge/record.ts";
import { storedRows } from "../../../testbed/judge/stored-rows.ts";
import { readLedger } from "../../../testbed/wallet/ledger-file.ts";
import type { Stage } from "./stage.ts";

const DAY_MS = 86_400_000;
const ENDS_WITHIN_MS = 30_000;

/** The effects of a wallet that have no row in the service. */
export async function effectsWithoutRow({
  installation: { database, directory, wallet },
}: Pick<Stage, "installation">): Promise<Set<string>> {
  const ids = new Map(directory.merchants.map(({ code, id }) => [code, id]));
  const rows = await storedRows(database);
  const keys = readLedger(wallet.ledgerFile).flatMap((line) =>
    line.kind === "applied"
      ? [keyText({ merchantId: ids.get(line.effect.merchant) ?? 0, txId: line.effect.txId as TxId })]
      : [],
  );
  return new Set(keys.filter((key) => !rows.has(key) || rows.get(key)?.transaction.status === "void"));
}

/** The result of `npm run reconcile` for all merchants: transactions in the ledger that the service does not have. */
export async function reconciled({
  installation: { directory, wallet, folder },
  replicas,
}: Stage): Promise<Set<string>> {
  const effects = readLedger(wallet.ledgerFile).flatMap((line) =>
    line.kind === "applied" ? [{ ...line.effect, deltaMinor: BigInt(line.effect.deltaMinor) }] : [],
  );
  const missing = new Set<string>();
  for (const { id, code, secret } of directory.merchants) {
    const file = join(folder, `${code}.csv`);
    writeFileSync(file, ledgerCsv(effects, code, directory.currency));
    const credentials = { apiUrl: `http://127.0.0.1:${replicas[0]?.ports.rest}`, merchant: code, secret };
    using found = await reconcile(credentials, file, { from: Date.now() - DAY_MS, to: Date.now() + DAY_MS });
    for (const { kind, txId } of found.differences())
      if (kind === "missing_here") missing.add(keyText({ merchantId: id, txId: txId as TxId }));
  }
  return missing;
}

/**
 * The provider repeats, in the original order, each transaction about which it had an answer since a moment, or none at
 * all. Returns their keys, and the answers that contradict earlier ones.
 *
 * @param sinceMs - the restored moment.
 * @param except - keys of transactions that are not repeated.
 */
export async function repeatSince(
  { installation, replicas }: Stage,
  sinceMs: number,
  except: ReadonlySet<string> = new Set(),
): Promise<{ readonly keys: ReadonlySet<string>; readonly violations: readonly Violation[] }> {
  const byKey = Map.groupBy(installation.history.operations, ({ content }) => keyText(content));
  const isAfter = ({ endedAt }: Operation) => endedAt === null || endedAt >= sinceMs;
  const repeated = [...byKey].filter(([key, operations]) => !except.has(key) && operations.some(isAfter));
  const violations: Violation[] = [];
  for (const [n, [key, operations]] of repeated.entries()) {
    const finals = operations.flatMap(({ outcome }) => (isFinal(outcome) ? [outcome] : []));
    const [{ content }] = operations as [Operation];
    const player = installation.players.find((one) => one.playerId === content.playerId);
    const [before] = finals;
    if (
      player === undefined ||
      (before === undefined && operations.every(({ outcome }) => outcome.kind !== "unknown" && outcome.kind !== "ok"))
    )
      continue;
    const until = Date.now() + ENDS_WITHIN_MS;
    const on = () => replicas[n % replicas.length] as (typeof replicas)[number];
    const after = await installation.provider.repeatUntilFinal(content, player.sessionId, on, () => Date.now() > until);
    // A wallet does not store the rejection of a credit, so it may accept the repeat.
    const isKept = before?.kind !== "ok" || before.status === "success" || !isCredit(content.action);
    if (before !== undefined && isKept && !finals.some((one) => inWords(one) === inWords(after)))
      violations.push(violation("I4", key, `told ${inWords(before)}, after the restore ${inWords(after)}`));
  }
  return { keys: new Set(repeated.map(([key]) => key)), violations };
}

/** An answer that a provider does not repeat. A success that was refunded since has two of them. */
const isFinal = (outcome: Outcome): boolean =>
  (outcome.kind === "ok" && outcome.status !== "pending") ||
  (outcome.kind === "refused" && outcome.code === "TRANSACTION_REVERSED");

const inWords = (outcome: Outcome): string =>
  outcome.kind === "ok" ? `${outcome.txId} ${outcome.status} ${outcome.error}` : JSON.stringify(outcome);

/**
 * Violations that a service without the row can't avoid: it repeats a call that was answered before, and answers
 * pending until it has the answer again. If the refund of a bet was lost, too, the bet succeeds until the refund is
 * repeated. {@link repeatSince} compares the final answers.
 */
const OF_REPEATS =
  /^(sent after its reversal was|sent after its provider was told that it had failed|told .*, then pending|told TRANSACTION_REVERSED, then success)$/;
export const isOfRepeats = ({ key, what }: Violation, repeated: ReadonlySet<string>): boolean =>
  repeated.has(key) && OF_REPEATS.test(what);
