import { keyText, ownTxId, type TxKey } from "../../src/domain/values/identifiers.ts";
import type {
  Claimed,
  ClaimLine,
  LineResult,
  SettleLine,
  TransactionStore,
} from "../../src/ports/transactions/transaction-store.ts";
import { around } from "./around.ts";
import type { Failpoints } from "./failpoints.ts";
import { whenSent } from "./sent-statements.ts";

/**
 * Adds the crash points CP2, CP8, CP11, CP12 and CP14 to a store.
 *
 * @param resends - keys of the transactions that the resend worker has found and that have not been settled since. The
 *   store that is returned maintains it.
 */
export function failpointTransactionStore(
  real: TransactionStore,
  failpoints: Failpoints,
  resends: Set<string>,
): TransactionStore {
  const claiming = async (lines: readonly ClaimLine[], claim: () => Promise<LineResult<Claimed>[]>) => {
    await failpoints.gather("CP2", lines.map(contentId));
    return whenSent(
      (tokens) => failpoints.strike("CP2", lines.filter(({ token }) => tokens.has(token)).map(contentId)),
      claim,
    );
  };
  const settling = async (lines: readonly SettleLine[], settle: () => Promise<LineResult<boolean>[]>) => {
    await failpoints.gather("CP8", lines.map(ownId));
    const settled = await whenSent(
      (tokens) => failpoints.strike("CP8", lines.filter(({ token }) => tokens.has(token)).map(ownId)),
      settle,
    );
    for (const { key } of lines) resends.delete(keyText(key));
    return settled;
  };
  /** CP14 is after a statement that has won marks. */
  const won = (ids: readonly string[]): void => {
    if (ids.length > 0) failpoints.strike("CP14", ids);
  };
  const trueOnes = <Line>(lines: readonly Line[], results: readonly LineResult<boolean>[]): Line[] =>
    lines.filter((_, i) => results[i] === true);

  return around(real, {
    claim: (claim, lines) => claiming(lines, () => claim(lines)),
    claimPlay: (claimPlay, lines) => claiming(lines, () => claimPlay(lines)),
    async takeOver(takeOver, lines) {
      const taken = await takeOver(lines);
      const resent = lines.filter(({ key }, i) => taken[i] !== undefined && resends.has(keyText(key)));
      if (resent.length > 0) await failpoints.reach("CP12", resent.map(ownId));
      return taken;
    },
    async adopt(adopt, lines) {
      const settles = lines.filter(({ content }) => content.bet?.settles === true);
      if (settles.length > 0) await failpoints.gather("CP14", settles.map(contentId));
      const adopted = await adopt(lines);
      won(settles.filter((line) => adopted[lines.indexOf(line)] !== undefined).map(contentId));
      return adopted;
    },
    async seal(seal, lines) {
      const sealed = await seal(lines);
      won(trueOnes(lines, sealed).map(ownId));
      return sealed;
    },
    async settleBet(settleBet, lines) {
      const settled = await settleBet(lines);
      won(trueOnes(lines, settled).map(({ win }) => ownTxId(win.txId)));
      return settled;
    },
    async mark(mark, lines) {
      await failpoints.gather("CP14", lines.map(ownId));
      const marked = await mark(lines);
      won(trueOnes(lines, marked).map(ownId));
      return marked;
    },
    settle: (settle, lines) => settling(lines, () => settle(lines)),
    /** Between the settle of a Play's bet and the call of its win is CP14. */
    async settlePlay(settlePlay, lines) {
      const settled = await settling(lines, () => settlePlay(lines));
      won(trueOnes(lines, settled).map(ownId));
      return settled;
    },
    async due(due, merchantIds, limit) {
      const keys = await due(merchantIds, limit);
      for (const key of keys) resends.add(keyText(key));
      if (keys.length > 0)
        await failpoints.reach(
          "CP11",
          keys.map(({ txId }) => ownTxId(txId)),
        );
      return keys;
    },
  });
}

const contentId = ({ content }: Pick<ClaimLine, "content">): string => ownTxId(content.txId);
const ownId = ({ key }: { readonly key: TxKey }): string => ownTxId(key.txId);
