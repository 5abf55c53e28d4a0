<?php // Generated out of contract/transactions/ by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace GameAggregator\Kit\Data;

/** A transaction as the service has it. Amounts and balances are exact decimals. */
final readonly class Transaction
{
    /**
     * @param string $txId The idempotency key, unique for the merchant.
     * @param string $roundId The round's id; for the sportsbook, the bet's id.
     * @param ?string $refTxId The bet or win that a refund or rollback reverses.
     * @param string $action bet, win, refund or rollback.
     * @param string $amount Above 0, in the major unit, exact. The action shows whether the balance goes up or down.
     * @param string $currency The merchant's currency.
     * @param string $status success, pending or failed.
     * @param ?string $error The code of the wallet's rejection.
     * @param string $provider The provider's code.
     * @param string $game The game's code.
     * @param string $playerId The player's id, as the merchant sent it at the launch.
     * @param ?string $balance The balance in the wallet's reply. It is not the player's balance now.
     * @param int $attempts How often the service has called the wallet for this transaction.
     * @param ?string $lastResult How the last of these calls ended. Absent: none has ended.
     * @param ?string $nextAttemptAt The time of the next automatic call. Absent: no call is planned.
     * @param ?string $resolvedBy What made the state final. Absent: the first call, or the transaction is pending.
     * @param string $createdAt When the transaction reached the service.
     * @param string $updatedAt When the transaction last changed.
     * @param ?string $kind What the money is for. Absent: an ordinary bet or win, or a reversal.
     * @param ?string $promoId The provider's id for the promotion.
     * @param array{id: string, tier: ?string}|null $jackpot The jackpot that a bet pays into, or that pays the win.
     * @param ?int $jackpotContributionMicros The part of a bet for the jackpot, in millionths of the major unit.
     * @param ?string $settledBy The win that is the only settlement of this bet. A settlement of 0 is in no list.
     * @param list<array<string, mixed>> $attemptLog all calls to the wallet; filled only when you read one transaction
     */
    public function __construct(
        public string $txId,
        public string $roundId,
        public ?string $refTxId,
        public string $action,
        public string $amount,
        public string $currency,
        public string $status,
        public ?string $error,
        public string $provider,
        public string $game,
        public string $playerId,
        public ?string $balance,
        public int $attempts,
        public ?string $lastResult,
        public ?string $nextAttemptAt,
        public ?string $resolvedBy,
        public string $createdAt,
        public string $updatedAt,
        public ?string $kind,
        public ?string $promoId,
        public ?array $jackpot,
        public ?int $jackpotContributionMicros,
        public ?string $settledBy,
        public array $attemptLog,
    ) {
    }

    /** @param array<string, mixed> $data the API's data */
    public static function of(array $data): self
    {
        return new self(
            $data['tx_id'],
            $data['round_id'],
            $data['ref_tx_id'] ?? null,
            $data['action'],
            $data['amount'],
            $data['currency'],
            $data['status'],
            $data['error'] ?? null,
            $data['provider'],
            $data['game'],
            $data['player_id'],
            $data['balance'] ?? null,
            $data['attempts'],
            $data['last_result'] ?? null,
            $data['next_attempt_at'] ?? null,
            $data['resolved_by'] ?? null,
            $data['created_at'],
            $data['updated_at'],
            $data['kind'] ?? null,
            $data['promo_id'] ?? null,
            $data['jackpot'] ?? null,
            $data['jackpot_contribution_micros'] ?? null,
            $data['settled_by'] ?? null,
            $data['attempt_log'] ?? [],
        );
    }
}
