<?php

declare(strict_types=1);

require __DIR__ . '/../autoload.php';

foreach (['Caller', 'StorageContract', 'PdoContract', 'ServerContract'] as $name) {
    // Only PHPUnit's own process can load PHPUnit's classes.
    if ($name === 'Caller' || class_exists('PHPUnit\Framework\TestCase')) {
        require __DIR__ . "/$name.php";
    }
}
