<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Wallet;

/** What became of a `tx_id`. It is kept for ever, or at least for a month longer than a bet may be open. */
final readonly class Entry
{
    public const APPLIED = 'applied';
    public const REJECTED = 'rejected';
    public const TOMBSTONE = 'tombstone';

    /**
     * @param self::* $state
     * @param ?string $refTxId of an applied refund or rollback: what it reversed; unique for the merchant
     * @param ?int $balance after it
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

    /** A refund or rollback came for it before it came itself: it must not be applied any more. */
    public static function tombstone(string $txId): self
    {
        return new self(self::TOMBSTONE, $txId);
    }
}
