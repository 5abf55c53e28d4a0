import type { Effect } from "../../sandbox/merchant/ledger.ts";
import type { Transaction } from "../../src/domain/transaction/transaction.ts";
import { keyText, type TxId, type TxKey } from "../../src/domain/values/identifiers.ts";
import { callsOf } from "../../testbed/judge/judge.ts";
import type { WalletCall } from "../../testbed/judge/record.ts";
import { storedRows } from "../../testbed/judge/stored-rows.ts";
import type { Installation } from "../../testbed/stage/installation.ts";
import { readLedger } from "../../testbed/wallet/ledger-file.ts";

/** A change of a balance, with its time at the wallet. */
type Applied = Effect & { readonly at: number };

/** The state of the wallet and the database when every transaction has ended. */
export interface Seen {
  /** The calls of a transaction, in the order in which they reached the wallet. */
  calls(key: TxKey): readonly WalletCall[];
  effects(key: TxKey): readonly Applied[];
  /** The effects in the wallet that reversed the transaction. */
  reversals(key: TxKey): readonly Effect[];
  row(key: TxKey): Transaction | undefined;
  /** The calls of all transactions whose own id begins with this text. */
  callCount(prefix: string): number;
}

export async function look({ wallet, directory, database }: Installation): Promise<Seen> {
  const merchantIds = new Map(directory.merchants.map(({ code, id }) => [code, id]));
  const lines = readLedger(wallet.ledgerFile);
  const all = callsOf(lines, merchantIds, []);
  const applied = lines.flatMap((line): Applied[] =>
    line.kind === "applied" ? [{ ...line.effect, deltaMinor: BigInt(line.effect.deltaMinor), at: line.at }] : [],
  );
  const keyOf = ({ merchant }: Effect, txId: string): string =>
    keyText({ merchantId: merchantIds.get(merchant) ?? 0, txId: txId as TxId });
  const calls = Map.groupBy(all, ({ content }) => keyText(content));
  const effects = Map.groupBy(applied, (effect) => keyOf(effect, effect.txId));
  const reversals = Map.groupBy(applied, (effect) => (effect.refTxId === null ? "" : keyOf(effect, effect.refTxId)));
  const rows = await storedRows(database);
  return {
    calls: (key) => calls.get(keyText(key)) ?? [],
    effects: (key) => effects.get(keyText(key)) ?? [],
    reversals: (key) => reversals.get(keyText(key)) ?? [],
    row: (key) => rows.get(keyText(key))?.transaction,
    callCount: (prefix) => all.filter(({ content }) => ownOf(content.txId).startsWith(prefix)).length,
  };
}

/** The run's own id: without the provider's code, and without the prefix of a slip's refund ids. */
const ownOf = (txId: string): string => txId.replace(/^[A-Z0-9_]+:(refund~)?/, "");
