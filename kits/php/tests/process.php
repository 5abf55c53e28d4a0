<?php

// Calls a wallet whose storage is a database, and prints the replies. Arguments: the DSN, the calls.

declare(strict_types=1);

use GameAggregator\Kit\Tests\Caller;
use GameAggregator\Kit\Wallet\PdoStorage;

require __DIR__ . '/bootstrap.php';

$caller = new Caller(new PdoStorage(new PDO($argv[1])));
$replies = array_map(static fn(array $call): array => $caller->call(...$call), json_decode($argv[2], true));
echo json_encode($replies, JSON_THROW_ON_ERROR);
