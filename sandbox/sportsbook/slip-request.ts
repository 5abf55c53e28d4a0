import { Refused } from "../http/page-server.ts";
import { readSelection } from "./model/markets.ts";
import { isOdds } from "./model/odds.ts";
import { ODDS_HABITS, type OddsHabit } from "./model/odds-habit.ts";

const BETS_MAX = 50;
const LEGS_MAX = 20;
const STAKE_MINOR_MAX = 100_000_000_000;

/** A page's slip whose form was checked. */
export interface SlipRequest {
  /** The page's id of the slip. A repeat after a lost answer has the same id. */
  readonly slipId: string;
  /** The changes that the player accepts, from the odds that the page showed to the current odds. */
  readonly accept: OddsHabit;
  readonly bets: readonly {
    readonly stakeMinor: bigint;
    readonly selections: readonly { readonly id: string; readonly odds: number }[];
  }[];
}

/**
 * Reads a page's slip. Throws {@link Refused} 422 when its form is wrong, or when it combines two selections of one
 * match.
 */
export function readSlip(body: unknown): SlipRequest {
  const { slip_id: slipId, accept: given, bets } = fields(body);
  if (typeof slipId !== "string" || !/^[A-Za-z0-9_-]{8,64}$/.test(slipId)) return refuse("slip_id");
  const accept = ODDS_HABITS.find((habit) => habit === given) ?? refuse("accept");
  return { slipId, accept, bets: list(bets, "bets", BETS_MAX).map(readBet) };
}

function readBet(bet: unknown): SlipRequest["bets"][number] {
  const { stake_minor: stake, selections } = fields(bet);
  if (typeof stake !== "number" || !Number.isInteger(stake) || stake <= 0 || stake > STAKE_MINOR_MAX)
    return refuse("stake_minor");
  const legs = list(selections, "selections", LEGS_MAX).map(readLeg);
  if (new Set(legs.map(({ id }) => readSelection(id)?.event)).size < legs.length) return refuse("selections");
  return { stakeMinor: BigInt(stake), selections: legs };
}

function readLeg(leg: unknown): SlipRequest["bets"][number]["selections"][number] {
  const { id, odds } = fields(leg);
  if (typeof id !== "string" || readSelection(id) === undefined) return refuse("selection");
  return isOdds(odds) ? { id, odds } : refuse("odds");
}

const fields = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};

function list(value: unknown, name: string, max: number): readonly unknown[] {
  return Array.isArray(value) && value.length >= 1 && value.length <= max ? value : refuse(name);
}

function refuse(name: string): never {
  throw new Refused(422, "VALIDATION_ERROR", `${name} is missing or wrong.`);
}
