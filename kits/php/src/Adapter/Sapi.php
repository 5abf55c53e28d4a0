<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Adapter;

use GameAggregator\Kit\Wallet\Wallet;

/** The wallet in plain PHP: php-fpm, Apache's module, PHP's built-in server. */
final class Sapi
{
    /** Answers the request for which PHP runs this script. */
    public static function serve(Wallet $wallet): void
    {
        // Reads one byte more than the limit, so that the wallet can detect a body that is too large.
        $body = (string) file_get_contents('php://input', length: Wallet::BODY_MAX_BYTES + 1);
        $reply = $wallet->handle($_SERVER['REQUEST_METHOD'], $_SERVER['REQUEST_URI'], getallheaders(), $body);
        http_response_code($reply->status);
        header('Content-Type: application/json');
        header('Content-Length: ' . strlen($reply->body));
        echo $reply->body;
    }
}
