<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Tests;

use GameAggregator\Kit\Wallet\MemoryStorage;
use GameAggregator\Kit\Wallet\Storage;

final class MemoryStorageTest extends StorageContract
{
    protected function open(): Storage
    {
        $storage = new MemoryStorage();
        foreach (Caller::players() as [$merchant, $id, $player]) {
            $storage->setPlayer($merchant, $id, $player);
        }
        return $storage;
    }
}
