<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Adapter;

use GameAggregator\Kit\Wallet\Wallet;

/** The wallet in plain PHP: php-fpm, Apache's module, PHP's built-in server. */
final class Sapi
{
    /** Answers the request that this script was called for. */
    public static function serve(Wallet $wallet): void
    {
        // One byte more than is allowed, so that the wallet sees that it is too much.
        $body = (string) file_get_contents('php://input', length: Wallet::BODY_MAX_BYTES + 1);
        $reply = $wallet->handle($_SERVER['REQUEST_METHOD'], $_SERVER['REQUEST_URI'], getallheaders(), $body);
        http_response_code($reply->status);
        header('Content-Type: application/json');
        header('Content-Length: ' . strlen($reply->body));
        echo $reply->body;
    }
}
