<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Data;

/** An opened game. Show `launchUrl` at once. Launch again each time the player opens a game. */
final readonly class Launch
{
    public function __construct(
        public string $launchUrl,
        public string $game,
        public string $provider,
        public bool $demo,
    ) {
    }

    /** @param array<string, mixed> $data the API's data */
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
