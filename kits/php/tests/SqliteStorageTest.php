<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Tests;

use GameAggregator\Kit\Wallet\PdoStorage;

final class SqliteStorageTest extends PdoContract
{
    private string $file = '';

    protected function dsn(): string
    {
        $this->file = $this->file ?: (string) tempnam(sys_get_temp_dir(), 'wallet-');
        return "sqlite:$this->file";
    }

    public function testAFailingRollbackDoesNotHideTheFirstError(): void
    {
        $pdo = new \PDO('sqlite::memory:');
        $storage = new PdoStorage($pdo);
        $storage->createTables();
        $this->expectExceptionMessage('the disk is full');
        $storage->transaction('shop', 'ana', static function () use ($pdo): void {
            $pdo->exec('ROLLBACK');
            throw new \RuntimeException('the disk is full');
        });
    }

    protected function tearDown(): void
    {
        array_map(unlink(...), glob("$this->file*") ?: []);
    }
}
