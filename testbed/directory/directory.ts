/**
 * The merchants and their sessions. The service, the comparison programs of the bench and the load generator all use
 * them.
 */

/** The bench writes this to a JSON file that every process reads. */
export interface Directory {
  /** The provider's code and API key. */
  readonly provider: string;
  readonly apiKey: string;
  readonly game: string;
  readonly currency: "BRL";
  readonly merchants: readonly BenchMerchant[];
}

export interface BenchMerchant {
  /** The row number in the service's database. */
  readonly id: number;
  readonly code: string;
  readonly secret: string;
  readonly walletUrl: string;
  /** Whether the operator API's usual rate limits apply to this merchant. */
  readonly limited: boolean;
  readonly sessions: readonly { readonly id: string; readonly playerId: string }[];
}

/** Session ids, alternating between the merchants, so that consecutive bets belong to different merchants. */
export function sessionIds(merchants: readonly BenchMerchant[]): string[] {
  const longest = Math.max(0, ...merchants.map((merchant) => merchant.sessions.length));
  return Array.from({ length: longest }, (_, i) =>
    merchants.flatMap((merchant) => merchant.sessions.slice(i, i + 1).map((session) => session.id)),
  ).flat();
}
