<?php

declare(strict_types=1);

require __DIR__ . '/../autoload.php';

foreach (['Caller', 'StorageContract', 'PdoContract'] as $name) {
    // PHPUnit is there in its own process only.
    if ($name === 'Caller' || class_exists('PHPUnit\Framework\TestCase')) {
        require __DIR__ . "/$name.php";
    }
}
