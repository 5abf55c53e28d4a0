<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Data;

/** The number and the sums of pending transactions. Sums are exact decimals. */
final readonly class Pending
{
    public function __construct(
        public int $count,
        public string $bets,
        public string $refunds,
        public string $wins,
        public string $rollbacks,
    ) {
    }

    /** @param array<string, mixed> $data the API's data */
    public static function of(array $data): self
    {
        return new self(
            $data['count'],
            $data['bets'],
            $data['refunds'],
            $data['wins'],
            $data['rollbacks'],
        );
    }
}
