<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Wallet;

/** The result of a `tx_id`. Keep it for ever, or at least one month longer than a bet may stay open. */
final readonly class Entry
{
    public const APPLIED = 'applied';
    public const REJECTED = 'rejected';
    public const TOMBSTONE = 'tombstone';

    /**
     * @param self::* $state
     * @param ?string $refTxId the transaction that an applied refund or rollback reversed; unique for the merchant
     * @param ?int $balance the balance after the transaction
     */
    private function __construct(
        public string $state,
        public string $txId,
        public ?string $action = null,
        public ?string $playerId = null,
        public ?int $amount = null,
        public ?string $refTxId = null,
        public ?int $balance = null,
        public ?string $error = null,
    ) {
    }

    public static function applied(
        string $txId,
        string $action,
        string $playerId,
        int $amount,
        ?string $refTxId,
        int $balance,
    ): self {
        return new self(self::APPLIED, $txId, $action, $playerId, $amount, $refTxId, $balance);
    }

    public static function rejected(string $txId, string $error): self
    {
        return new self(self::REJECTED, $txId, error: $error);
    }

    /** The transaction's refund or rollback came first. The transaction must never be applied. */
    public static function tombstone(string $txId): self
    {
        return new self(self::TOMBSTONE, $txId);
    }
}
