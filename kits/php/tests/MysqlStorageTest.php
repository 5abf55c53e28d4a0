<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Tests;

/**
 * Needs a database of MySQL or MariaDB. The tests empty it:
 * MYSQL_DSN="mysql:host=...;dbname=...;user=...;charset=utf8mb4"
 */
final class MysqlStorageTest extends PdoContract
{
    protected function setUp(): void
    {
        if ($this->dsn() === '') {
            self::markTestSkipped('MYSQL_DSN names no database');
        }
        parent::setUp();
    }

    protected function dsn(): string
    {
        return getenv('MYSQL_DSN') ?: '';
    }
}
