/**
 * The database is restored to an earlier moment while the replicas run: rows are lost, but the wallets still have the
 * effects.
 */
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { reconcile } from "../../../reconcile/reconcile.ts";
import { ledgerCsv } from "../../../sandbox/merchant/ledger-csv.ts";
import { isCredit } from "../../../src/domain/transaction/transaction.ts";
import { keyText, type TxId } from "../../../src/domain/values/identifiers.ts";
import { type Operation, type Violation, violation } from "../../../testbed/judge/record.ts";
import { storedRows } from "../../../testbed/judge/stored-rows.ts";
import { readLedger } from "../../../testbed/wallet/ledger-file.ts";
import type { Stage } from "./stage.ts";
import type { Struck } from "./strike.ts";

export const RESTORED = "set back to a copy, rows lost";
const DAY_MS = 86_400_000;
/** The numbers of a restored feed begin this much above the numbers that merchants may have read. */
const NUMBERS_AHEAD = 1_000_000;
const ENDS_WITHIN_MS = 30_000;

/**
 * Copies the database, plays, and restores the copy. Reconciliation lists each effect without a row. The provider
 * repeats its requests. Then everything is judged.
 */
export async function restore(stage: Stage, playMs: number): Promise<Struck> {
  const { server, players, installation } = stage;
  const copy = join(installation.folder, "copy");
  await server.kill();
  cpSync(server.data, copy, { recursive: true });
  await server.restart();
  await stage.until("ready");
  players.play();
  await pause(playMs);
  await players.pause();
  const violations: Violation[] = [...(await stage.judged())];

  await server.kill();
  rmSync(server.data, { recursive: true });
  cpSync(copy, server.data, { recursive: true });
  await server.restart();
  const healing = performance.now();
  if ((await stage.until("ready")) === undefined)
    violations.push(violation("I0", RESTORED, "a replica doesn't get ready again"));
  // Merchants continue to read after the last number that they have read, so no number may be given twice.
  await stage.ask(`UPDATE feed_head SET seq = seq + ${NUMBERS_AHEAD}`);
  const recoveredMs = performance.now() - healing;

  const lost = await effectsWithoutRow(stage);
  const named = await reconciled(stage);
  for (const key of lost)
    if (!named.has(key)) violations.push(violation("I3", key, "its row was lost, and reconciliation doesn't say so"));
  for (const key of named)
    if (!lost.has(key)) violations.push(violation("I3", key, "reconciliation misses it, and it is there"));
  await installation.wallet.rates([]);
  const repeated = await repeatAll(stage);
  violations.push(...repeated.violations, ...(await stage.judged()).filter((one) => !isOfRepeats(one, repeated.keys)));
  for (const key of await reconciled(stage))
    violations.push(violation("I3", key, "repeated, and reconciliation still misses it"));
  return {
    kind: RESTORED,
    fired: lost.size,
    acknowledged: players.acknowledged,
    longestSilenceMs: players.longestSilenceMs,
    recoveredMs,
    violations,
  };
}

/** The effects of a wallet that have no row in the service. */
async function effectsWithoutRow({ installation: { database, directory, wallet } }: Stage): Promise<Set<string>> {
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
async function reconciled({ installation: { directory, wallet, folder }, replicas }: Stage): Promise<Set<string>> {
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

/** The provider repeats, in the original order, every request that had a result and has no row. */
async function repeatAll({
  installation,
  replicas,
}: Stage): Promise<{ readonly keys: ReadonlySet<string>; readonly violations: readonly Violation[] }> {
  const rows = await storedRows(installation.database);
  const isLost = ({ content }: Operation) => (rows.get(keyText(content))?.transaction.status ?? "void") === "void";
  const lost = Map.groupBy(installation.history.operations.filter(isLost), ({ content }) => keyText(content));
  const violations: Violation[] = [];
  for (const [n, [key, operations]] of [...lost].entries()) {
    const finals = operations.flatMap(({ outcome }) =>
      outcome.kind === "ok" && outcome.status !== "pending" ? [outcome] : [],
    );
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
    const words = (outcome: typeof after | undefined) =>
      outcome?.kind === "ok" ? `${outcome.txId} ${outcome.status} ${outcome.error}` : JSON.stringify(outcome);
    // A wallet does not store the rejection of a credit, so it may accept the repeat.
    const isKept = before?.status === "success" || !isCredit(content.action);
    if (before !== undefined && isKept && words(after) !== words(before))
      violations.push(violation("I4", key, `told ${words(before)}, after the restore ${words(after)}`));
  }
  return { keys: new Set(lost.keys()), violations };
}

/**
 * Violations that a service without the row can't avoid: it repeats a call that was answered before, and answers
 * pending until it has the answer again. If the refund of a bet was lost, too, the bet succeeds until the refund is
 * repeated. {@link repeatAll} compares the final answers.
 */
const OF_REPEATS =
  /^(sent after its reversal was|sent after its provider was told that it had failed|told .*, then pending|told TRANSACTION_REVERSED, then success)$/;
const isOfRepeats = ({ key, what }: Violation, repeated: ReadonlySet<string>): boolean =>
  repeated.has(key) && OF_REPEATS.test(what);

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
