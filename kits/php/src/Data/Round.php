<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Data;

/** A page of a round: its transactions, the oldest first, and the sums of the whole round. */
final readonly class Round
{
    /**
     * @param list<Transaction> $items
     * @param ?string $state `open`, `ended` or `unknown`; null: the service is older than the ends of rounds
     * @param ?string $endedAt null unless the round has ended
     */
    public function __construct(
        public string $provider,
        public string $roundId,
        public array $items,
        public RoundSums $sums,
        public ?string $nextCursor,
        public ?string $state = null,
        public ?string $endedAt = null,
    ) {
    }

    /** @param array<string, mixed> $data the API's data */
    public static function of(array $data): self
    {
        return new self(
            $data['provider'],
            $data['round_id'],
            array_map(Transaction::of(...), $data['items']),
            RoundSums::of($data['sums']),
            $data['next_cursor'],
            $data['state'] ?? null,
            $data['ended_at'] ?? null,
        );
    }
}
