/** The faults of a provider's request that can be found without the database. All of them are listed together. */
import type { FieldFault } from "../errors.ts";
import type { Carried } from "../values/carried.ts";
import { idFault, isOwnTxId, isRoundId } from "../values/identifiers.ts";
import { type GivenLabels, type Labels, readLabels } from "../values/labels.ts";
import { type Action, isReversal } from "./transaction.ts";

/** The fields by which a request identifies its player. An empty field is absent. */
export interface PlayerFields {
  readonly sessionId: string;
  readonly playerRef: string;
  readonly game: string;
}

export interface MoveFields extends PlayerFields, Carried, GivenLabels {
  readonly action: Action;
  readonly txId: string;
  /** The bet that a win names; empty or absent: none. */
  readonly betTxId?: string;
  readonly settles?: boolean;
}

/** A bet or slip needs a session. */
export const sessionFaults = (sessionId: string): FieldFault[] =>
  sessionId === "" ? [{ field: "session_id", rule: "required" }] : [];

/** A request identifies the player by session_id, or by player_ref and game. */
export function playerFaults({ sessionId, playerRef, game }: PlayerFields): FieldFault[] {
  if (sessionId !== "") return [];
  if (playerRef === "") return [{ field: "session_id", rule: "required without player_ref" }];
  return game === "" ? [{ field: "game", rule: "required with player_ref" }] : [];
}

export function moveFaults(request: MoveFields): FieldFault[] {
  const { action, txId, refTxId, roundId, betTxId = "", settles = false } = request;
  const faults =
    action === "bet" && request.kind !== "adjustment" ? sessionFaults(request.sessionId) : playerFaults(request);
  if (!isOwnTxId(txId)) faults.push(idFault("tx_id", 95));
  const labels = isReversal(action) ? undefined : readLabels(action, request);
  if (!isRoundId(roundId) && !isRoundless(request, labels?.labels)) faults.push(idFault("round_id", 128));
  if (isReversal(action) && !isOwnTxId(refTxId ?? "")) faults.push(idFault("ref_tx_id", 95));
  if (isReversal(action) && refTxId === txId) faults.push({ field: "ref_tx_id", rule: "differs from tx_id" });
  if (betTxId === "" && settles) faults.push({ field: "bet_tx_id", rule: "required with settles" });
  if (betTxId !== "" && !isOwnTxId(betTxId)) faults.push(idFault("bet_tx_id", 95));
  if (betTxId !== "" && betTxId === txId) faults.push({ field: "bet_tx_id", rule: "differs from tx_id" });
  // No label refuses a credit, because its money is owed.
  if (action === "bet") faults.push(...(labels?.faults ?? []).map(({ field, rule }) => ({ field, rule })));
  return faults;
}

/** Whether a win has no round of its own, because a promotion pays it. */
export const isRoundless = (
  { action, roundId }: Pick<MoveFields, "action" | "roundId">,
  labels: Labels | undefined,
): boolean => action === "win" && roundId === "" && labels !== undefined && labels.promoId !== null;
