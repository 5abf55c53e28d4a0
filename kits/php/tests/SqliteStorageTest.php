<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Tests;

final class SqliteStorageTest extends PdoContract
{
    private string $file = '';

    protected function dsn(): string
    {
        $this->file = $this->file ?: (string) tempnam(sys_get_temp_dir(), 'wallet-');
        return "sqlite:$this->file";
    }

    protected function tearDown(): void
    {
        array_map(unlink(...), glob("$this->file*") ?: []);
    }
}
