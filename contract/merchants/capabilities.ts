/**
 * What the service can send to merchants and show them beyond its first release. A client asks GET /v1/merchant, so
 * that it never waits for something that an older service does not have. A capability is never removed.
 */
export const CAPABILITIES = {
  csv_dialects: "`csv_dialect` of the exports and reports.",
  kinds:
    "Callbacks of bets and wins may have `kind` and `promo_id`. Transactions have `kind`, `promo_id` and `jackpot`, and their list has the filter `kind`.",
  round_ends:
    "Callbacks of bets and wins may have `round_ended`. Rounds have `state` and `ended_at`, and `GET /v1/rounds` lists them.",
  settlements: "Transactions have `settled_by`.",
} as const satisfies Record<string, string>;
