<?php
function call(string $merchant, string $secret, string $method, string $url, string $target, string $body = ''): string {
    $timestamp = (string) (int) floor(microtime(true) * 1000);
    $nonce = bin2hex(random_bytes(16));
    $signature = hash_hmac('sha256', "$timestamp.$nonce.$method.$target.$body", $secret);
    $headers = ["X-Merchant-Id: $merchant", "X-Timestamp: $timestamp", "X-Nonce: $nonce",
                "X-Signature: $signature", 'Content-Type: application/json'];
    $options = ['method' => $method, 'header' => $headers, 'content' => $body, 'ignore_errors' => true];
    return file_get_contents($url . $target, false, stream_context_create(['http' => $options]));
}
