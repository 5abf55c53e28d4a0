<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Tests;

/**
 * Needs a database of MySQL or MariaDB. The tests empty it:
 * MYSQL_DSN="mysql:host=...;dbname=...;user=...;charset=utf8mb4"
 */
final class MysqlStorageTest extends ServerContract
{
    protected function setUp(): void
    {
        if ($this->dsn() === '') {
            self::markTestSkipped('MYSQL_DSN names no database');
        }
        parent::setUp();
    }

    public function testATransactionIsRepeatedAfterARowChangedSinceTheSnapshot(): void
    {
        $tries = 0;
        $this->open()->transaction('shop', 'ana', function () use (&$tries): void {
            // MariaDB raises 1020 with the setting innodb_snapshot_isolation.
            if (++$tries === 1) {
                (new \PDO($this->dsn()))->exec("SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1020");
            }
        });
        self::assertSame(2, $tries);
    }

    protected function dsn(): string
    {
        return getenv('MYSQL_DSN') ?: '';
    }
}
