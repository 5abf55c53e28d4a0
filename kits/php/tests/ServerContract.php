<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Tests;

use GameAggregator\Kit\Wallet\Books;
use GameAggregator\Kit\Wallet\Entry;
use GameAggregator\Kit\Wallet\PdoStorage;

/** The contract of a storage on a database server, where several transactions run at once. */
abstract class ServerContract extends PdoContract
{
    public function testATransactionReadsWhatAnotherOneHasCommittedMeanwhile(): void
    {
        $storage = $this->open();
        $other = new Caller(new PdoStorage(new \PDO($this->dsn())));
        [$before, $after] = $storage->transaction('shop', 'ana', static function (Books $books) use ($other): array {
            $before = $books->find('w1');
            $other->call('win', ['player_id' => 'rui', 'tx_id' => 'w1', 'amount' => 1]);
            return [$before, $books->find('w1')];
        });
        self::assertNull($before);
        self::assertSame(Entry::APPLIED, $after?->state);
    }
}
