<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Wallet;

final readonly class WalletReply
{
    /**
     * @param int $status the HTTP status
     * @param string $body JSON
     */
    public function __construct(public int $status, public string $body)
    {
    }
}
