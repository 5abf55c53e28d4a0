<?php

// A wallet program on PHP's built-in server. The kits' README lists its environment variables. The server's processes
// share no memory. So without DATABASE the wallet uses a SQLite file and removes it at the end.

declare(strict_types=1);

use GameAggregator\Kit\Wallet\PdoStorage;
use GameAggregator\Kit\Wallet\Player;

require __DIR__ . '/../autoload.php';

$port = getenv('PORT') ?: '3000';
$url = "http://127.0.0.1:$port/wallet";
$database = getenv('DATABASE') ?: '';
$isTemporary = $database === '';
if ($isTemporary) {
    $database = (string) tempnam(sys_get_temp_dir(), 'wallet-');
}

$pdo = new PDO("sqlite:$database");
$storage = new PdoStorage($pdo);
$storage->createTables();
foreach (json_decode(getenv('PLAYERS') ?: '[]', true, flags: JSON_THROW_ON_ERROR) as $player) {
    ['merchant' => $merchant, 'id' => $id, 'balance_minor' => $balance] = $player;
    $storage->addPlayer($merchant, $id, new Player($balance, $player['blocked'] ?? false));
}
unset($storage, $pdo);

// Eight processes serve requests at the same time. -q turns the request log off.
$server = proc_open(
    [PHP_BINARY, '-q', '-d', 'display_errors=stderr', '-S', "127.0.0.1:$port", __DIR__ . '/router.php'],
    [1 => ['file', '/dev/null', 'w'], 2 => STDERR],
    $pipes,
    __DIR__,
    ['PHP_CLI_SERVER_WORKERS' => '8', 'DATABASE' => $database] + getenv(),
);
if ($server === false) {
    exit(1);
}

pcntl_async_signals(true);
$end = static function () use ($server, $database, $isTemporary): void {
    // On SIGINT the server ends its other processes.
    proc_terminate($server, SIGINT);
    proc_close($server);
    if ($isTemporary) {
        array_map(unlink(...), glob("$database*") ?: []);
    }
    exit(0);
};
pcntl_signal(SIGTERM, $end);
pcntl_signal(SIGINT, $end);

while (($connection = @fsockopen('127.0.0.1', (int) $port)) === false) {
    if (!proc_get_status($server)['running']) {
        exit(1);
    }
    usleep(20_000);
}
fclose($connection);
echo "listening on $url\n";
while (proc_get_status($server)['running']) {
    sleep(1);
}
$end();
