import { type Content, isReversal } from "../../src/domain/transaction/transaction.ts";
import { keyText } from "../../src/domain/values/identifiers.ts";
import type { SeededRandom } from "../../testbed/seeded-random.ts";
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
import { type Cell, type Point, type WalletOutcome, WORKER_POINTS } from "./cells.ts";

/** A cell in a test: one transaction of a player. */
export interface Trial {
  readonly cell: Cell;
  readonly player: Player;
  readonly own: string;
  readonly content: Content;
  /** The provider's reversal of the transaction; for a reversal, the same reversal under another id. */
  readonly reversal: Content;
  /** For a reversal: its original, which must exist first, and the wallet's behaviour for the original. */
  readonly original: { readonly content: Content; readonly behaviour: Behaviour } | undefined;
  readonly key: string;
}

/** A reply with this delay is still missing when the process dies. */
const HELD_MS = 500;

const BEHAVIOUR: Readonly<Record<WalletOutcome, Behaviour>> = {
  ok: OK,
  reject: REJECTS,
  "applied, no reply": APPLIED_SILENT,
  "never applied": NEVER_APPLIED,
};

/** @param own - a unique id. */
export function trialOf(
  cell: Cell,
  player: Player,
  own: string,
  installation: Installation,
  random: SeededRandom,
): Trial {
  const { action } = cell;
  if (!isReversal(action)) {
    const content = installation.content(player, action, own);
    const reversal = installation.content(player, action === "bet" ? "refund" : "rollback", `${own}-r`, own);
    return { cell, player: player, own, content, reversal, original: undefined, key: keyText(content) };
  }
  const content = installation.content(player, action, own, `${own}-o`);
  const original = installation.content(player, action === "refund" ? "bet" : "win", `${own}-o`);
  // The service resends a win without an answer, and its rollback waits for it. So only bets stay open.
  const behaviour = action === "refund" ? random.pick([OK, OK, APPLIED_500, NEVER_APPLIED_500]) : OK;
  const reversal = installation.content(player, action, `${own}-x`, `${own}-o`);
  return {
    cell,
    player: player,
    own,
    content,
    reversal,
    original: { content: original, behaviour },
    key: keyText(content),
  };
}

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
