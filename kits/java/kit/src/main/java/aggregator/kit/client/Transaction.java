// Generated out of contract/transactions/ by `npm run generate`. Do not edit.
package aggregator.kit.client;

import java.math.BigDecimal;
import java.time.Instant;

/**
 * A transaction as the service has it. The service may add values of texts such as {@code status}, so ignore unknown
 * values. An absent value is null.
 *
 * @param txId The idempotency key, unique for the merchant.
 * @param roundId The round's id; for the sportsbook, the bet's id.
 * @param refTxId The bet or win that a refund or rollback reverses.
 * @param action bet, win, refund or rollback.
 * @param amount Above 0, in the major unit, exact. The action shows whether the balance goes up or down.
 * @param currency The merchant's currency.
 * @param status success, pending or failed.
 * @param error The code of the wallet's rejection.
 * @param provider The provider's code.
 * @param game The game's code.
 * @param playerId The player's id, as the merchant sent it at the launch.
 * @param balance The balance in the wallet's reply. It is not the player's balance now.
 * @param attempts How often the service has called the wallet for this transaction.
 * @param lastResult How the last of these calls ended. Absent: none has ended.
 * @param nextAttemptAt The time of the next automatic call. Absent: no call is planned.
 * @param resolvedBy What made the state final. Absent: the first call, or the transaction is pending.
 * @param createdAt When the transaction reached the service.
 * @param updatedAt When the transaction last changed.
 * @param kind What the money is for. Absent: an ordinary bet or win, or a reversal.
 * @param promoId The provider's id for the promotion.
 * @param jackpot The jackpot that a bet pays into, or that pays the win.
 * @param jackpotContributionMicros The part of a bet for the jackpot, in millionths of the major unit.
 * @param settledBy The win that is the only settlement of this bet. A settlement of 0 is in no list.
 */
public record Transaction(
    String txId,
    String roundId,
    String refTxId,
    String action,
    BigDecimal amount,
    String currency,
    String status,
    String error,
    String provider,
    String game,
    String playerId,
    BigDecimal balance,
    int attempts,
    String lastResult,
    Instant nextAttemptAt,
    String resolvedBy,
    Instant createdAt,
    Instant updatedAt,
    String kind,
    String promoId,
    Jackpot jackpot,
    Long jackpotContributionMicros,
    String settledBy) {
  /** A jackpot by the provider's names. The tier is null if it has no tiers. */
  public record Jackpot(String id, String tier) {}
}
