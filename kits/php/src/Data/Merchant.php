<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Data;

/** The calling merchant. */
final readonly class Merchant
{
    /**
     * @param list<string> $products slot, live, sportsbook
     * @param string $environment development, staging or production
     * @param array{url: ?string, script_url: ?string, integrity_url: ?string} $sportsbook
     * @param int $serverTime milliseconds since 1970
     * @param list<string> $capabilities what the service can send and show beyond its first release
     */
    public function __construct(
        public string $code,
        public string $currency,
        public string $brand,
        public array $products,
        public string $defaultLanguage,
        public bool $walletConfigured,
        public string $environment,
        public array $sportsbook,
        public int $serverTime,
        public array $capabilities,
    ) {
    }

    /** @param array<string, mixed> $data the API's data */
    public static function of(array $data): self
    {
        return new self(
            $data['code'],
            $data['currency'],
            $data['brand'],
            $data['products'],
            $data['default_language'],
            $data['wallet_configured'],
            $data['environment'],
            $data['sportsbook'],
            $data['server_time'],
            $data['capabilities'] ?? [],
        );
    }
}
