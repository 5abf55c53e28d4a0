<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Wallet;

final readonly class Player
{
    /**
     * @param int $balance in minor units
     * @param bool $blocked whether the wallet rejects the player's bets; it still applies wins and refunds
     */
    public function __construct(public int $balance, public bool $blocked = false)
    {
    }
}
