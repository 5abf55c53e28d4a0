<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Data;

/** A round whose provider says when its rounds end. */
final readonly class ListedRound
{
    /**
     * @param string $state `open` or `ended`
     * @param ?string $endedAt null: the round is open
     */
    public function __construct(
        public string $provider,
        public string $roundId,
        public string $state,
        public string $openedAt,
        public ?string $endedAt,
    ) {
    }

    /** @param array<string, mixed> $data the API's data */
    public static function of(array $data): self
    {
        return new self($data['provider'], $data['round_id'], $data['state'], $data['opened_at'], $data['ended_at']);
    }
}
