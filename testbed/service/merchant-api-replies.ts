/** Prepared replies of the merchant API, for a server that needs no service behind it. */

const AT = "2026-01-01T00:00:00.000Z";
const sums = { bets: 2.5, refunds: 0, wins: 0, rollbacks: 0 };
const pending = { count: 0, ...sums, bets: 0 };
const counts = { bets_count: 1, refunds_count: 0, wins_count: 0, rollbacks_count: 0 };

const merchant = {
  code: "shop",
  currency: "BRL",
  brand: "shop",
  products: ["slot"],
  default_language: "pt",
  wallet_configured: true,
  environment: "staging",
  sportsbook: { url: null, script_url: null, integrity_url: null },
  server_time: 1_767_225_600_000,
};

const game = (code: string) => ({
  code,
  provider: "ACME",
  name: "Fruits",
  type: "slot",
  demo_available: true,
  active: true,
  images: null,
  tags: null,
  rtp: 96.5,
  volatility: null,
  free_rounds: null,
  jackpot: null,
  platforms: null,
  languages: null,
  blocked_countries: null,
  released_at: null,
  updated_at: AT,
});

const transaction = (txId: string) => ({
  tx_id: txId,
  round_id: "r",
  ref_tx_id: null,
  action: "win",
  amount: 2.5,
  currency: "BRL",
  status: "pending",
  error: null,
  provider: "ACME",
  game: "fruits",
  player_id: "ana",
  balance: null,
  attempts: 1,
  last_result: "timeout",
  next_attempt_at: null,
  resolved_by: null,
  created_at: AT,
  updated_at: AT,
});

const page = (items: readonly object[]) => ({ items, next_cursor: null, total: items.length });

/** The address of the game that a launch opens for this player. */
export const launchUrlOf = (player: string): string => `https://games.example/?player=${encodeURIComponent(player)}`;

/** The status and the JSON of the reply to a call. */
export function replyTo(method: string, target: string, body: string): { status: number; json: object } {
  const [path = ""] = target.split("?");
  const ids = path.split("/").map(decodeURIComponent);
  const done = (data: object, status = 200) => ({
    status,
    json: { success: true, message: "", statusCode: status, data },
  });
  const refused = (status: number, code: string) => {
    const error = { code, message: "Não.", request_id: "00000000-0000-4000-8000-000000000000" };
    return { status, json: { success: false, message: error.message, statusCode: status, error } };
  };
  switch (`${method} ${ids[2]}`) {
    case "GET merchant":
      return done(merchant);
    case "POST game": {
      const { player_id: player, game: code } = JSON.parse(body) as { player_id: string; game: string };
      return done({ launch_url: launchUrlOf(player), game: code, provider: "ACME", demo: false });
    }
    case "GET games":
      return done(ids.length > 3 ? game(ids[4] ?? "") : page([game("fruits")]));
    case "GET providers":
      return done(page([{ code: "ACME", name: "Acme", active: true, games: 1 }]));
    case "GET transactions":
      return done(ids.length > 3 ? { ...transaction(ids[3] ?? ""), attempt_log: [] } : page([transaction("ACME:w1")]));
    case "POST transactions":
      return refused(409, "NOT_RESENDABLE");
    case "GET rounds":
      return done({
        provider: "ACME",
        round_id: ids[4],
        items: [],
        sums: { ...sums, pending },
        next_cursor: null,
      });
    case "GET reports":
      return done({
        currency: "BRL",
        tz: "UTC",
        group_by: "day",
        rows: [],
        totals: { ...sums, ...counts, ggr: 2.5, pending },
        as_of: AT,
      });
    default:
      return refused(404, "NOT_FOUND");
  }
}
