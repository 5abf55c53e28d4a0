<?php

// Serves one request of the example wallet.

declare(strict_types=1);

use GameAggregator\Kit\Adapter\Sapi;
use GameAggregator\Kit\Wallet\PdoStorage;
use GameAggregator\Kit\Wallet\Wallet;
use GameAggregator\Kit\Wallet\WalletMerchant;

require __DIR__ . '/../autoload.php';

if (parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH) !== '/wallet') {
    http_response_code(404);
    return;
}
$merchants = array_map(
    static fn(array $merchant) => new WalletMerchant($merchant['code'], $merchant['secrets'], $merchant['currency']),
    json_decode(getenv('MERCHANTS') ?: '[]', true, flags: JSON_THROW_ON_ERROR),
);
// The connection stays open, because opening the first connection to a SQLite file and closing the last one are slow.
$pdo = new PDO('sqlite:' . getenv('DATABASE'), options: [PDO::ATTR_PERSISTENT => true]);
Sapi::serve(new Wallet($merchants, new PdoStorage($pdo)));
