/** What each statement of the transaction store gets: the columns of its lines, in both dialects. */

import { NEVER, type RowChange } from "../../../domain/transaction/transaction.ts";
import { CARRIED } from "../../../domain/values/carried.ts";
import type { TxKey } from "../../../domain/values/identifiers.ts";
import type { Labels } from "../../../domain/values/labels.ts";
import type {
  AdoptLine,
  ClaimLine,
  MarkLine,
  PlayClaimLine,
  PlaySettleLine,
  ScheduleLine,
  SealLine,
  SettleBetLine,
  SettleLine,
  TakeOverLine,
} from "../../../ports/transactions/transaction-store.ts";
import type { ResolveLine } from "../../../ports/transactions/transaction-support.ts";
import type { Cell } from "../connection/statement.ts";
import { ACTION, KIND, STATUS } from "../schema/codes.ts";
import { logLine } from "./attempt-log.ts";
import { balanceOf, errorOf, type LABEL_COLUMNS } from "./rows.ts";

/** One column of the lines. The columns of `tx` that it is compared with have the same kind. */
interface LineColumn<Line> {
  /** `bytes`: a text that is compared byte by byte. `token`: 16 bytes, which the line has in hex. */
  readonly kind: "integer" | "text" | "bytes" | "token";
  readonly of: (line: Line) => Cell;
}

/** The columns of a line by their names. A statement reads them as `n.<name>`. */
export type LineColumns<Line> = Readonly<Record<string, LineColumn<Line>>>;

type Column = <Line>(of: (line: Line) => Cell) => LineColumn<Line>;
const integer: Column = (of) => ({ kind: "integer", of });
const text: Column = (of) => ({ kind: "text", of });
const bytes: Column = (of) => ({ kind: "bytes", of });
const token: Column = (of) => ({ kind: "token", of });

/** The time until the next attempt, in ms after the statement's time. The value {@link NEVER} is not converted. */
const nextOf = (next: RowChange["next"]): number | null => (next === "never" ? NEVER : next);

/** The row of a line. */
type Keyed = { readonly key: TxKey };
const KEY = {
  merchant_id: integer(({ key }) => key.merchantId),
  tx_id: bytes(({ key }) => key.txId),
} satisfies LineColumns<Keyed>;

export const READ: LineColumns<TxKey> = {
  merchant_id: integer(({ merchantId }) => merchantId),
  tx_id: bytes(({ txId }) => txId),
};

/** The columns of `tx` with the content of a transaction. The first two are its key. */
const CONTENT: LineColumns<Pick<ClaimLine, "content">> = {
  merchant_id: integer(({ content }) => content.merchantId),
  tx_id: bytes(({ content }) => content.txId),
  action: integer(({ content }) => ACTION[content.action]),
  player_id: bytes(({ content }) => content.playerId),
  amount_minor: integer(({ content }) => content.amountMinor),
  currency: bytes(({ content }) => content.currency),
  provider_id: integer(({ content }) => content.game.providerId),
  game_id: integer(({ content }) => content.game.id),
  ...Object.fromEntries(CARRIED.map(({ name, property }) => [name, bytes(({ content }) => content[property] ?? null)])),
};
/**
 * The columns of the labels.
 *
 * @param has - whether the row of a line has its labels.
 */
function labelColumns(
  has: (line: ClaimLine) => boolean,
): Readonly<Record<(typeof LABEL_COLUMNS)[number], LineColumn<ClaimLine>>> {
  const labelled = (column: Column, of: (labels: Labels) => Cell): LineColumn<ClaimLine> =>
    column((line) => (line.content.labels === undefined || !has(line) ? null : of(line.content.labels)));
  return {
    kind: labelled(integer, ({ kind }) => kind && KIND[kind]),
    promo_id: labelled(bytes, ({ promoId }) => promoId),
    jackpot_id: labelled(bytes, ({ jackpotId }) => jackpotId),
    jackpot_tier: labelled(bytes, ({ jackpotTier }) => jackpotTier),
    jackpot_micros: labelled(integer, ({ jackpotMicros }) => jackpotMicros),
  };
}
/** A void row has no labels, except the win of a Play. */
const isReal = ({ as }: ClaimLine): boolean => as !== "void";
const LABELS = labelColumns(isReal);
export const PLAY_LABELS = labelColumns(() => true);
const LEASED: LineColumns<ClaimLine> = {
  lease_ms: integer(({ as, leaseMs }) => (as === "leased" ? leaseMs : null)),
  due_ms: integer(({ as }) => (as === "due" ? 0 : null)),
};

/** The columns of a claim that have the same names in `tx`. */
export const CLAIMED: LineColumns<ClaimLine> = { ...CONTENT, lease_token: token((line) => line.token) };
export const CLAIM: LineColumns<ClaimLine> = {
  ...CLAIMED,
  status: integer(({ as }) => (as === "void" ? STATUS.void : STATUS.pending)),
  ...LEASED,
};
/** The same columns and those of the labels. A claim without labels does not pay for them. */
export const CLAIMED_LABELS: LineColumns<ClaimLine> = { ...CLAIMED, ...LABELS };
export const CLAIM_LABELS: LineColumns<ClaimLine> = { ...CLAIM, ...LABELS };
export const hasLabels = (lines: readonly ClaimLine[]): boolean =>
  lines.some(({ content, as }) => content.labels !== undefined && as !== "void");
/**
 * What a claim adds if the transaction ends its round, or if its round must not have ended.
 *
 * @param has - whether the row of a line says that it ends its round.
 */
const roundColumns = (has: (line: ClaimLine) => boolean) =>
  ({
    round_ended: integer<ClaimLine>((line) => (line.content.roundEnded === true && has(line) ? 1 : null)),
    unless_ended: integer<ClaimLine>(({ unlessEnded }) => (unlessEnded === true ? 1 : 0)),
  }) satisfies LineColumns<ClaimLine>;
const ROUND = roundColumns(isReal);
const endedOf = ({ round_ended }: ReturnType<typeof roundColumns>): LineColumns<ClaimLine> => ({ round_ended });
export const ROUND_ENDED = endedOf(ROUND);
export const endsRound = (lines: readonly ClaimLine[]): boolean =>
  lines.some(({ content, as }) => content.roundEnded === true && as !== "void");
const PLAY_ROUND = roundColumns(() => true);
export const PLAY_ROUND_ENDED = endedOf(PLAY_ROUND);
export const CLAIM_IN_ROUND: LineColumns<ClaimLine> = { ...CLAIM_LABELS, ...ROUND };
/** The bet that a win names. */
const BET = {
  bet_tx_id: bytes(({ content }) => content.bet?.txId ?? null),
  settles: integer(({ content }) => (content.bet === undefined ? null : content.bet.settles ? 1 : 0)),
} satisfies LineColumns<Pick<ClaimLine, "content">>;
const PLAY_WIN = {
  play_win: bytes(({ playWin }) => playWin ?? null),
} satisfies LineColumns<{ readonly playWin?: PlayClaimLine["playWin"] }>;
export const PLAY_COLUMNS = Object.keys({ ...BET, ...PLAY_WIN });
/** The columns of a claim of a Play that have the same names in `tx`. */
export const CLAIMED_PLAY: LineColumns<PlayClaimLine> = { ...CLAIMED, ...BET, ...PLAY_WIN };
export const CLAIM_PLAY: LineColumns<PlayClaimLine> = { ...CLAIM, ...BET, ...PLAY_WIN };
/** The void row of a win has all of its content, also its labels. */
export const CLAIM_PLAY_IN_ROUND: LineColumns<PlayClaimLine> = { ...CLAIM_PLAY, ...PLAY_LABELS, ...PLAY_ROUND };
/** Whether the Plays have no labels, and their rounds are not looked at. */
export const isPlainPlay = (lines: readonly PlayClaimLine[]): boolean =>
  lines.every(
    ({ content, unlessEnded }) =>
      content.labels === undefined && content.roundEnded === undefined && unlessEnded !== true,
  );
export const ADOPT: LineColumns<AdoptLine> = {
  ...CONTENT,
  ...LABELS,
  ...ROUND,
  seen_token: token(({ seen }) => seen),
  token: token((line) => line.token),
  ...LEASED,
};
/** The columns of the content, without the key. */
export const CONTENT_COLUMNS = Object.keys(CONTENT).slice(2);
/** The adoption of a win that names its bet. */
export const ADOPT_FOR_BET: LineColumns<AdoptLine> = {
  ...ADOPT,
  ...BET,
};
/** The void row that becomes the win of a Play. */
export const WAIT: LineColumns<AdoptLine> = { ...ADOPT_FOR_BET, ...PLAY_LABELS, ...PLAY_ROUND };
/** The adoption of a Play's bet. */
export const ADOPT_PLAY: LineColumns<AdoptLine> = { ...ADOPT, ...PLAY_WIN };

export const SETTLE_BET: LineColumns<SettleBetLine> = {
  ...KEY,
  win: bytes(({ win }) => win.txId),
  player_id: bytes(({ win }) => win.playerId),
  currency: bytes(({ win }) => win.currency),
};

/** The row as it was read. */
const SEEN: LineColumns<Pick<TakeOverLine, "key" | "seen">> = {
  ...KEY,
  seen_status: integer(({ seen }) => STATUS[seen.status]),
  seen_token: token(({ seen }) => seen.leaseToken),
  seen_reversed_by: bytes(({ seen }) => seen.reversedBy),
};

export const TAKE_OVER: LineColumns<TakeOverLine> = {
  ...SEEN,
  token: token((line) => line.token),
  lease_ms: integer(({ leaseMs }) => leaseMs),
};

export const SCHEDULE: LineColumns<ScheduleLine> = { ...SEEN, due_ms: integer(({ inMs }) => inMs) };

export const MARK: LineColumns<MarkLine> = {
  ...KEY,
  seen_token: token(({ seen }) => seen),
  reversed: bytes(({ reversed }) => reversed),
  unless_settled: integer(({ unlessSettled }) => (unlessSettled === true ? 1 : 0)),
  deliver: integer(({ deliver }) => (deliver === true ? 1 : 0)),
};

export const SEAL: LineColumns<SealLine> = {
  ...KEY,
  seen_token: token(({ seen }) => seen),
  sealed_by: bytes(({ by }) => by),
};

/** The new state of a row. */
const STATE = {
  status: integer(({ change }) => STATUS[change.state.status]),
  error: bytes(({ change }) => errorOf(change.state)),
  balance_minor: integer(({ change }) => balanceOf(change.state)),
  resolved_by: bytes(({ change }) => change.resolvedBy),
} satisfies LineColumns<{ readonly change: RowChange }>;

export const SETTLE = {
  ...KEY,
  token: token((line) => line.token),
  ...STATE,
  is_silent: integer(({ change }) => (change.silent ? 1 : 0)),
  next_ms: integer(({ change }) => nextOf(change.next)),
  last_result: text(({ attempt }) => attempt.result),
  log_line: text(({ attempt }) => logLine(attempt)),
} satisfies LineColumns<SettleLine>;

/** The end of an attempt of a Play's bet: `o` is the win, and `b` the bet. */
export const SETTLE_PLAY: LineColumns<PlaySettleLine> = {
  ...SETTLE,
  tx_id: bytes(({ win }) => win.txId),
  bet_tx_id: bytes(({ key }) => key.txId),
  settled_by: bytes(({ win }) => (win.settles ? win.txId : null)),
  win_seen: token(({ win }) => win.seen),
  win_token: token(({ win }) => win.token),
  lease_ms: integer(({ win }) => win.leaseMs),
};

type Reversed = SettleLine["reversed"];
const ifChanged =
  (of: (change: RowChange) => Cell) =>
  ({ reversed }: { readonly reversed?: Reversed }): Cell =>
    reversed === undefined || reversed.change === null ? null : of(reversed.change);

/** The row that a reversal reverses: its id, its status as it was read, and its change. All null: it does not change. */
const REVERSED: LineColumns<{ readonly reversed?: Reversed }> = {
  reversed: bytes(({ reversed }) => reversed?.txId ?? null),
  reversed_seen: integer(({ reversed }) => (reversed === undefined ? null : STATUS[reversed.seen])),
  reversed_status: integer(ifChanged(({ state }) => STATUS[state.status])),
  reversed_error: bytes(ifChanged(({ state }) => errorOf(state))),
  reversed_balance_minor: integer(ifChanged(({ state }) => balanceOf(state))),
  reversed_resolved_by: bytes(ifChanged(({ resolvedBy }) => resolvedBy)),
  reversed_next_ms: integer(ifChanged(({ next }) => nextOf(next))),
};

export const SETTLE_REVERSAL: LineColumns<SettleLine> = { ...SETTLE, ...REVERSED };

export const RESOLVE: LineColumns<ResolveLine> = {
  ...KEY,
  seen_token: token(({ seen }) => seen.leaseToken),
  seen_reversed_by: bytes(({ seen }) => seen.reversedBy),
  horizon_ms: integer(({ horizonMs }) => horizonMs),
  token: token((line) => line.token),
  ...STATE,
};
/** The bet of a Play; `reversed` has the id of its win. */
export const RESOLVE_PLAY: LineColumns<ResolveLine> = { ...RESOLVE, reversed: bytes(({ win }) => win ?? null) };
export const RESOLVE_BOTH: LineColumns<ResolveLine> = { ...RESOLVE, ...REVERSED };

/** The cells of a line, in the order of the columns. */
export function cellsOf<Line>(columns: LineColumns<Line>): (line: Line) => Cell[] {
  const all = Object.values(columns);
  return (line) => all.map(({ of }) => of(line));
}
