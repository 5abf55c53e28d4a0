<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Data;

/** Sums of successful transactions, as exact decimals. */
final readonly class RoundSums
{
    public function __construct(
        public string $bets,
        public string $refunds,
        public string $wins,
        public string $rollbacks,
        public Pending $pending,
    ) {
    }

    /** @param array<string, mixed> $data the API's data */
    public static function of(array $data): self
    {
        return new self(
            $data['bets'],
            $data['refunds'],
            $data['wins'],
            $data['rollbacks'],
            Pending::of($data['pending']),
        );
    }
}
