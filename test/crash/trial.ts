import type { Action, Content } from "../../src/domain/transaction/transaction.ts";
import { keyText } from "../../src/domain/values/identifiers.ts";
import type { Outcome } from "../../testbed/judge/record.ts";
import type { Provider } from "../../testbed/provider/provider.ts";
import type { SeededRandom } from "../../testbed/seeded-random.ts";
import type { Replica } from "../../testbed/service/replica.ts";
import type { Installation, Player } from "../../testbed/stage/installation.ts";
import {
  APPLIED_500,
  APPLIED_SILENT,
  type Behaviour,
  NEVER_APPLIED,
  NEVER_APPLIED_500,
  OK,
  REJECTS,
} from "../../testbed/wallet/behaviour.ts";
import { ACTION_OF, type Cell, type Point, type WalletOutcome, WIN_ENDING, WORKER_POINTS } from "./cells.ts";

/** A cell in a test: one transaction of a player. */
export interface Trial {
  readonly cell: Cell;
  readonly player: Player;
  /** The own id of the cell's transaction. */
  readonly own: string;
  readonly content: Content;
  /** The provider's reversal of the transaction; for a reversal, the same reversal under another id. */
  readonly reversal: Content;
  /** The transaction that must exist first, and the wallet's behaviour for it. */
  readonly original: { readonly content: Content; readonly behaviour: Behaviour } | undefined;
  /** The keys of the transactions that the request begins. */
  readonly keys: readonly string[];
  /** Sends the request once. */
  readonly send: Send;
}

export type Send = (on: Replica, timeoutMs: number) => Promise<Outcome>;

/** A reply with this delay is still missing when the process dies. */
const HELD_MS = 500;

const BEHAVIOUR: Readonly<Record<WalletOutcome, Behaviour>> = {
  ok: OK,
  reject: REJECTS,
  "applied, no reply": APPLIED_SILENT,
  "never applied": NEVER_APPLIED,
};

/** @param id - a unique id. */
export function trialOf(
  cell: Cell,
  player: Player,
  id: string,
  installation: Installation,
  random: SeededRandom,
): Trial {
  const { provider } = installation;
  const { sessionId } = player;
  const part = (action: Action, own: string, ref: string | null = null) =>
    installation.content(player, action, own, ref);
  const originalId = `${id}-o`;
  // The service resends a win without an answer, and its rollback waits for it. So only bets stay open.
  const anyBet = () => random.pick([OK, OK, APPLIED_500, NEVER_APPLIED_500]);
  const common = { cell, player, own: id };
  switch (cell.asked) {
    case "bet":
    case "win": {
      const content = part(cell.asked, id);
      const reversal = part(cell.asked === "bet" ? "refund" : "rollback", `${id}-r`, id);
      return { ...common, content, reversal, original: undefined, ...alone(content, sessionId, provider) };
    }
    case "refund":
    case "rollback": {
      const isRefund = cell.asked === "refund";
      const content = part(cell.asked, id, originalId);
      const behaviour = isRefund ? anyBet() : OK;
      const original = { content: part(isRefund ? "bet" : "win", originalId), behaviour };
      const reversal = part(cell.asked, `${id}-x`, originalId);
      return { ...common, content, reversal, original, ...alone(content, sessionId, provider) };
    }
    case "reverse":
    case "delivered reverse": {
      const isRefund = cell.asked === "reverse";
      const action = ACTION_OF[cell.asked];
      const content = { ...part(action, id, originalId), deliver: !isRefund };
      // Nothing is to reverse of a bet that was rejected, and one without an answer is refunded.
      const original = { content: part(isRefund ? "bet" : "win", originalId), behaviour: isRefund ? anyBet() : OK };
      const reversal = part(action, `${id}-x`, originalId);
      const send: Send = (on, ms) => provider.reverse(content, sessionId, on, ms);
      return { ...common, content, reversal, original, keys: [keyText(content)], send };
    }
    case "settlement": {
      const bet = part("bet", originalId);
      const content = { ...part("win", id), roundId: bet.roundId, bet: { txId: bet.txId, settles: true } };
      const reversal = { ...part("rollback", `${id}-r`, id), roundId: bet.roundId };
      return {
        ...common,
        content,
        reversal,
        original: { content: bet, behaviour: OK },
        ...alone(content, sessionId, provider),
      };
    }
    case "play":
    case "play's win": {
      const isBet = cell.asked === "play";
      const bet = part("bet", id);
      const win = {
        ...part("win", `${id}${WIN_ENDING}`),
        roundId: bet.roundId,
        bet: { txId: bet.txId, settles: random.chance(0.5) },
      };
      const own = isBet ? id : `${id}${WIN_ENDING}`;
      const reversal = { ...part(isBet ? "refund" : "rollback", `${id}-r`, own), roundId: bet.roundId };
      const send: Send = async (on, ms) => {
        const [taken, paid] = await provider.play(bet, win, sessionId, on, ms);
        return taken.kind === "ok" && taken.status === "success" ? paid : taken;
      };
      const keys = [keyText(bet), keyText(win)];
      return { ...common, own, content: isBet ? bet : win, reversal, original: undefined, keys, send };
    }
  }
}

/** A request that begins one transaction. */
const alone = (content: Content, sessionId: string, provider: Provider): Pick<Trial, "keys" | "send"> => ({
  keys: [keyText(content)],
  send: (on, ms) => provider.request(content, sessionId, on, ms),
});

/** The wallet's behaviour for the calls of the trial's transaction, in their order. */
export function behavioursOf({ cell: { point, outcome } }: Trial): readonly Behaviour[] {
  const focus = held(point, BEHAVIOUR[outcome]);
  // A later call, and a call by a worker, needs an earlier call without an answer.
  return point === "CP4" || WORKER_POINTS.has(point) ? [NEVER_APPLIED_500, focus] : [focus];
}

function held(point: Point, behaviour: Behaviour): Behaviour {
  if (point === "CP5" || point === "CP18") return { ...behaviour, afterMs: HELD_MS };
  if (point !== "CP6") return behaviour;
  return behaviour.reply === "none" ? { ...behaviour, reply: "headers" } : { ...behaviour, bodyAfterMs: HELD_MS };
}
