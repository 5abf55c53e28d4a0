package aggregator.kit.client;

import java.math.BigDecimal;
import java.time.Instant;

/**
 * A transaction as the service has it. The service may add values of texts such as {@code status}, so ignore unknown
 * values.
 *
 * @param refTxId the bet or win that a refund or rollback reverses; null for a bet or win
 * @param action {@code bet}, {@code win}, {@code refund} or {@code rollback}
 * @param amount above 0, in the major unit, exact
 * @param status {@code success}, {@code pending} or {@code failed}
 * @param error the code of the wallet's rejection; null when there is none
 * @param balance the balance in the wallet's reply, not the player's balance now; null: the reply had none
 * @param attempts the number of calls that the service made to the wallet for this transaction
 * @param lastResult the result of the last finished call; null: no call has finished
 * @param nextAttemptAt the time of the service's next automatic call; null: no call is planned
 * @param resolvedBy what made the state final; null: the first call, or the transaction is pending
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
    Instant updatedAt) {}
