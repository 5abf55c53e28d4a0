<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Data;

/** A game of the catalog. A field is null when the provider gave no value. */
final readonly class Game
{
    /**
     * @param string $type slot, live or sportsbook
     * @param bool $active whether the game can be launched
     * @param int|float|null $rtp return to player, in percent
     * @param array<string, string> $names the game's name by language
     */
    public function __construct(
        public string $code,
        public string $provider,
        public string $name,
        public string $type,
        public bool $demoAvailable,
        public bool $active,
        public ?array $images,
        public ?array $tags,
        public int|float|null $rtp,
        public ?string $volatility,
        public ?bool $freeRounds,
        public ?bool $jackpot,
        public ?array $platforms,
        public ?array $languages,
        public ?array $blockedCountries,
        public ?string $releasedAt,
        public string $updatedAt,
        public array $names,
    ) {
    }

    /** @param array<string, mixed> $data the API's data */
    public static function of(array $data): self
    {
        return new self(
            $data['code'],
            $data['provider'],
            $data['name'],
            $data['type'],
            $data['demo_available'],
            $data['active'],
            $data['images'] ?? null,
            $data['tags'] ?? null,
            $data['rtp'] ?? null,
            $data['volatility'] ?? null,
            $data['free_rounds'] ?? null,
            $data['jackpot'] ?? null,
            $data['platforms'] ?? null,
            $data['languages'] ?? null,
            $data['blocked_countries'] ?? null,
            $data['released_at'] ?? null,
            $data['updated_at'],
            $data['names'] ?? [],
        );
    }
}
