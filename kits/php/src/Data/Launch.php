<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Data;

/** An opened game. Show `launchUrl` at once, and ask for a new one each time. */
final readonly class Launch
{
    public function __construct(
        public string $launchUrl,
        public string $game,
        public string $provider,
        public bool $demo,
    ) {
    }

    /** @param array<string, mixed> $data as the API sends it */
    public static function of(array $data): self
    {
        return new self(
            $data['launch_url'],
            $data['game'],
            $data['provider'],
            $data['demo'],
        );
    }
}
