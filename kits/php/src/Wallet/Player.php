<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Wallet;

final readonly class Player
{
    /**
     * @param int $balance in minor units
     * @param bool $blocked a blocked player's bets are rejected; wins and refunds are not
     */
    public function __construct(public int $balance, public bool $blocked = false)
    {
    }
}
