<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Tests;

/** Needs a database of PostgreSQL. The tests empty it: PGSQL_DSN="pgsql:host=...;dbname=...;user=..." */
final class PgsqlStorageTest extends ServerContract
{
    protected function setUp(): void
    {
        if ($this->dsn() === '') {
            self::markTestSkipped('PGSQL_DSN names no database');
        }
        parent::setUp();
    }

    protected function dsn(): string
    {
        return getenv('PGSQL_DSN') ?: '';
    }
}
