<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Data;

/** A transaction as the service has it. */
final readonly class Transaction
{
    /**
     * @param string $action bet, win, refund or rollback
     * @param string $amount exact decimal of the major unit
     * @param string $status success, pending or failed
     * @param ?string $balance the balance in the wallet's reply, as an exact decimal
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
        public array $attemptLog,
    ) {
    }

    /** @param array<string, mixed> $data the API's data */
    public static function of(array $data): self
    {
        return new self(
            $data['tx_id'],
            $data['round_id'],
            $data['ref_tx_id'],
            $data['action'],
            $data['amount'],
            $data['currency'],
            $data['status'],
            $data['error'],
            $data['provider'],
            $data['game'],
            $data['player_id'],
            $data['balance'],
            $data['attempts'],
            $data['last_result'],
            $data['next_attempt_at'],
            $data['resolved_by'],
            $data['created_at'],
            $data['updated_at'],
            $data['attempt_log'] ?? [],
        );
    }
}
