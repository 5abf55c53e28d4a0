<?php

// A client program. The kits' README lists its environment variables.

declare(strict_types=1);

use GameAggregator\Kit\Client\AggregatorClient;
use GameAggregator\Kit\Client\CurlTransport;
use GameAggregator\Kit\Error\AggregatorException;
use GameAggregator\Kit\Error\ConnectionException;
use GameAggregator\Kit\Money;

require __DIR__ . '/../autoload.php';

$env = static fn(string $name): string => getenv($name) ?: '';
$transport = new CurlTransport((int) ($env('TIMEOUT_MS') ?: 15_000));
$client = new AggregatorClient($env('BASE_URL'), $env('MERCHANT'), $env('SECRET'), transport: $transport);
$limit = (int) ($env('LIMIT') ?: 100);
// PHP's command line does not buffer its output, so the stored cursor is never ahead of the printed lines.
$print = static function (array $line): void {
    fwrite(STDOUT, json_encode($line, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES) . "\n");
};

$transactions = static function () use ($client, $limit, $print): void {
    foreach ($client->transactions(['limit' => $limit]) as $transaction) {
        $amount = Money::toDecimal(
            Money::toMinor($transaction->amount, $transaction->currency),
            $transaction->currency,
        );
        $print([
            'tx_id' => $transaction->txId,
            'action' => $transaction->action,
            'status' => $transaction->status,
            'amount' => $amount,
        ]);
    }
};

$feed = static function () use ($client, $env, $limit, $print): void {
    $file = $env('CURSOR_FILE');
    $stored = is_file($file) ? (string) file_get_contents($file) : null;
    foreach ($client->changes($stored, since: '2026-01-01T00:00:00Z', limit: $limit) as $page) {
        foreach ($page->items as $transaction) {
            $print(['cursor' => $page->cursor, 'tx_id' => $transaction->txId, 'status' => $transaction->status]);
        }
        file_put_contents("$file.new", $page->cursor);
        rename("$file.new", $file);
        if ($page->items === []) {
            return;
        }
    }
};

$error = static function () use ($client, $print): void {
    try {
        $client->transaction('NONE:unknown');
    } catch (AggregatorException $cause) {
        $type = (new ReflectionClass($cause))->getShortName();
        $print(['type' => $type, 'code' => $cause->errorCode, 'request_id' => $cause->requestId]);
    }
};

$operations = static function () use ($client, $env, $print): void {
    $tell = static fn(string $operation, string $value) => $print(['operation' => $operation, 'value' => $value]);
    $codes = static fn(iterable $items): string => implode(
        ',',
        array_map(static fn(object $item): string => $item->code, iterator_to_array($items)),
    );
    $currency = $client->merchant()->currency;
    $money = static fn(string $decimal): string => Money::toDecimal(Money::toMinor($decimal, $currency), $currency);
    $tell('merchant', $currency);
    $tell('launch', $client->launch($env('PLAYER'), $env('GAME'))->provider);
    $tell('games', $codes($client->games(['limit' => 1])));
    $tell('game', $client->game($env('PROVIDER'), $env('GAME'))->name);
    $tell('providers', $codes($client->providers(['limit' => 1])));
    $tell('transaction', $client->transaction($env('TX_ID'))->txId);
    $tell('round', $money($client->round($env('PROVIDER'), $env('ROUND_ID'))->sums->bets));
    try {
        $client->resend($env('TX_ID'));
    } catch (AggregatorException $cause) {
        $tell('resend', $cause->errorCode);
    }
    $tell('report', $money($client->ggrReport($env('DAY'), $env('DAY'))->totals->ggr));
};

$rounds = static function () use ($client, $env, $print): void {
    foreach ($client->rounds(['state' => 'ended', 'limit' => 1]) as $round) {
        $state = $client->round($round->provider, $round->roundId)->state;
        $print(['round_id' => $round->roundId, 'state' => $state]);
    }
    $report = $client->ggrReport($env('DAY'), $env('DAY'));
    foreach ($report->totals->ofWhich as $part) {
        $amount = Money::toDecimal(Money::toMinor($part->amount, $report->currency), $report->currency);
        $print(['kind' => "$part->action $part->kind", 'amount' => $amount]);
    }
};

$launches = static function () use ($client, $env, $print): void {
    foreach (explode(',', $env('PLAYER')) as $player) {
        try {
            $print(['player' => $player, 'launch_url' => $client->launch($player, $env('GAME'))->launchUrl]);
        } catch (AggregatorException | ConnectionException $cause) {
            $type = (new ReflectionClass($cause))->getShortName();
            $print(['player' => $player, 'error' => "$type: {$cause->getMessage()}"]);
        }
        usleep(1000 * (int) $env('PAUSE_MS'));
    }
};

$programs = compact('transactions', 'feed', 'error', 'operations', 'rounds', 'launches');
$program = $programs[$argv[1] ?? ''] ?? null;
if ($program === null) {
    fwrite(STDERR, 'usage: php client.php ' . implode(' | ', array_keys($programs)) . "\n");
    exit(2);
}
$program();
