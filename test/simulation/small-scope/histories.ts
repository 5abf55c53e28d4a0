/**
 * Which histories of one bet, its wins and its reversals are allowed. The rules are written again in other words than
 * the judge's, and know nothing of rows: only what wallets got and what providers were told.
 */
import { isCredit, isReversal } from "../../../src/domain/transaction/transaction.ts";
import { keyText, type TxId } from "../../../src/domain/values/identifiers.ts";
import type { Operation, RunRecord } from "../../../testbed/judge/record.ts";
import { BET } from "./scope.ts";

const BET_ID: string = BET.txId;

/** What is wrong with a history that has ended; empty: it is allowed. */
export function faultsOf({ operations, calls, effects }: RunRecord): string[] {
  const moved = (id: string): number => effects.filter(({ txId }) => txId === id).length;
  const isSent = (id: string): boolean => calls.some(({ content }) => content.txId === id);
  const requests = Map.groupBy(operations, ({ content }) => content.txId as string);
  const idsOf = (holds: (all: readonly Operation[]) => boolean): string[] =>
    [...requests].filter(([, all]) => holds(all)).map(([id]) => id);

  const settlements = idsOf((all) => all.some(({ content }) => content.bet?.settles === true));
  const wins = idsOf((all) => all.some(({ content }) => content.bet !== undefined));
  const refunds = idsOf((all) => all.some(({ content }) => content.action === "refund"));
  const careful = refunds.filter((id) => requests.get(id)?.every(({ content }) => content.unlessSettled === true));

  const faults: string[] = [];
  const expect = (holds: boolean, fault: string): void => {
    if (!holds) faults.push(fault);
  };
  for (const id of requests.keys()) expect(moved(id) <= 1, `${id} moved money ${moved(id)} times`);
  expect(settlements.filter(isSent).length <= 1, "two settlements reached the wallet");
  expect(refunds.filter(isSent).length <= 1, "two refunds reached the wallet");
  expect(
    !(settlements.some(isSent) && careful.some(isSent)),
    "a settlement and a refund of an unsettled bet reached the wallet",
  );
  for (const id of wins) expect(!isSent(id) || moved(BET_ID) === 1, `${id} was sent, and its bet took no stake`);
  for (const id of refunds) expect(moved(id) <= moved(BET_ID), `${id} returned a stake that was never taken`);

  for (const [id, all] of requests) {
    const last = all.at(-1) as Operation;
    const { outcome, content } = last;
    const reversal = operations.find((one) => one.content.refTxId === id && moved(one.content.txId) === 1);
    const inWords = `${id} was told ${outcome.kind === "ok" ? `${outcome.status} ${outcome.error}` : JSON.stringify(outcome)}`;
    // A second reversal is told the result of the first one.
    const effect = moved(outcome.kind === "ok" && outcome.txId !== "" ? outcome.txId : id);
    if (outcome.kind === "ok" && outcome.status === "success") expect(effect === 1, `${inWords}, and moved no money`);
    else if (outcome.kind === "ok" && outcome.status === "pending")
      expect(false, `${inWords} at last, after all answers had come`);
    else if (last.ofPlay !== true || content.action === "bet")
      expect(effect === 0 || reversal !== undefined, `${inWords}, and moved money`);
    if (outcome.kind === "ok" && isCredit(content.action) && !isReversal(content.action) && content.bet !== undefined)
      expect(isSent(id), `${inWords}, and was never sent`);
  }
  return faults;
}

/** The end of a history in a few words: what has become of the stake and of its settlement. */
export function endOf({ rows, effects, operations }: RunRecord): string {
  const moved = (id: string): boolean => effects.some(({ txId }) => txId === id);
  const bet = rows.get(keyText({ merchantId: BET.merchantId, txId: BET_ID as TxId }))?.transaction;
  if (!moved(BET_ID)) return bet?.resolvedBy === "sealed" ? "marked" : "no stake";
  const isReturned = operations.some(({ content }) => content.refTxId === BET_ID && moved(content.txId));
  const paid = operations.some(({ content }) => content.bet?.settles === true && moved(content.txId));
  const taken = isReturned ? "stake returned" : "stake kept";
  return paid ? `${taken}, settled` : taken;
}
