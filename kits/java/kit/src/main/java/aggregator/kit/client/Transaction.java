package aggregator.kit.client;

import java.math.BigDecimal;
import java.time.Instant;

/**
 * A transaction as the service has it. Values of texts such as {@code status} may be added, so ignore what you do not
 * know.
 *
 * @param refTxId the bet or win that a refund or rollback reverses; else null
 * @param action {@code bet}, {@code win}, {@code refund} or {@code rollback}
 * @param amount above 0, in the major unit, exact
 * @param status {@code success}, {@code pending} or {@code failed}
 * @param error the code with which the wallet refused it; else null
 * @param balance what the wallet's reply said, which is not the present balance; null: nothing
 * @param attempts how often the wallet was called for it
 * @param lastResult how the last of these calls ended; null: none has ended
 * @param nextAttemptAt when the service calls again by itself; null: it does not
 * @param resolvedBy what made the state final; null: the first call, or it is pending
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
