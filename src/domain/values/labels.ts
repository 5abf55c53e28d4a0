/**
 * The labels of a bet or win: what its money is for (docs/specification/kinds.md). Labels are not content. The first
 * request with an id decides them, and a repeat with other labels is still the same transaction.
 */
import { type Kind, kindsOf } from "../../../contract/transactions/kinds.ts";
import type { FieldFault } from "../errors.ts";
import { idFault, isRoundId } from "./identifiers.ts";

/** null: the transaction does not have this label. At least one label is not null. */
export interface Labels {
  readonly kind: Kind | null;
  readonly promoId: string | null;
  readonly jackpotId: string | null;
  /** Only with `jackpotId`. */
  readonly jackpotTier: string | null;
  /** The part of a bet that goes to the jackpot, in millionths of the currency's major unit. Above 0. */
  readonly jackpotMicros: bigint | null;
}

/** The labels by their names in the provider API. They are also the names of the columns, except for the dots. */
const NAMES = {
  kind: "kind",
  promoId: "promo_id",
  jackpotId: "jackpot.id",
  jackpotTier: "jackpot.tier",
  jackpotMicros: "jackpot_contribution_micros",
} as const satisfies Record<keyof Labels, string>;

/** The labels that a caller has given. Nothing is validated. "" and 0 stand for a label that was not given. */
export interface GivenLabels {
  readonly kind?: string;
  readonly promoId?: string;
  readonly jackpot?: { readonly id: string; readonly tier: string } | undefined;
  readonly jackpotContributionMicros?: bigint;
}

/** A label that breaks its rule, and the text that the caller gave. */
export interface LabelFault extends FieldFault {
  readonly given: string;
}

/** The largest whole number that a JSON number has exactly in every language. */
const MICROS_MAX = 9_007_199_254_740_991n;
const TIER_MAX = 64;
/** The maximum of characters of a wrong label that the alert has. */
const GIVEN_MAX = 128;

/** The labels that follow their rules, and the faults of the others. `undefined`: no such label was given. */
export function readLabels(
  action: "bet" | "win",
  { kind = "", promoId = "", jackpot, jackpotContributionMicros: micros = 0n }: GivenLabels,
): { readonly labels: Labels | undefined; readonly faults: readonly LabelFault[] } {
  if (kind === "" && promoId === "" && jackpot === undefined && micros === 0n) return NO_LABELS;
  const faults: LabelFault[] = [];
  const rejected = (value: unknown, fault: FieldFault): null => {
    faults.push({ ...fault, given: String(value).slice(0, GIVEN_MAX) });
    return null;
  };
  /** The value if it follows its rule. */
  const checked = <T>(value: T, follows: boolean, fault: FieldFault): T | null =>
    follows ? value : rejected(value, fault);
  const kinds = kindsOf(action);
  const known = kinds.find((name) => name === kind);
  const jackpotId = jackpot?.id ?? "";
  const tier = jackpot?.tier ?? "";
  const isTier = isRoundId(tier) && Buffer.byteLength(tier) <= TIER_MAX;
  const id = jackpot === undefined ? null : checked(jackpotId, isRoundId(jackpotId), idFault(NAMES.jackpotId, 128));
  const labels: Labels = {
    kind:
      kind === "" || known !== undefined
        ? (known ?? null)
        : rejected(kind, { field: NAMES.kind, rule: kinds.join("|") }),
    promoId: promoId === "" ? null : checked(promoId, isRoundId(promoId), idFault(NAMES.promoId, 128)),
    jackpotId: id,
    jackpotTier: tier === "" || id === null ? null : checked(tier, isTier, idFault(NAMES.jackpotTier, TIER_MAX)),
    jackpotMicros:
      micros === 0n
        ? null
        : checked(micros, micros > 0n && micros <= MICROS_MAX, {
            field: NAMES.jackpotMicros,
            rule: `0..${MICROS_MAX}`,
          }),
  };
  return { labels: Object.values(labels).every((label) => label === null) ? undefined : labels, faults };
}

const NO_LABELS = { labels: undefined, faults: [] } as const;

/** The first label in which a request differs from its transaction; `undefined`: none differs. Null: there is no label. */
export function labelDifference(
  recorded: Labels | undefined,
  given: Labels | undefined,
): { readonly field: string; readonly recorded: string | null; readonly given: string | null } | undefined {
  if (recorded === given) return undefined;
  for (const [property, field] of Object.entries(NAMES)) {
    const [was, is] = [recorded?.[property as keyof Labels] ?? null, given?.[property as keyof Labels] ?? null];
    if (was !== is) return { field, recorded: textOf(was), given: textOf(is) };
  }
  return undefined;
}

const textOf = (label: string | bigint | null): string | null => (label === null ? null : String(label));
