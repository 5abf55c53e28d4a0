<?php

// Sends the next answer of $ANSWERS, or repeats the last answer when all were sent, and logs the call.

declare(strict_types=1);

$log = (string) getenv('LOG');
$count = count(file($log) ?: []);
['REQUEST_METHOD' => $method, 'REQUEST_URI' => $target, 'HTTP_X_NONCE' => $nonce] = $_SERVER;
file_put_contents($log, "$method $target $nonce\n", FILE_APPEND);
$answers = json_decode((string) getenv('ANSWERS'), true);
[$status, $headers, $body] = $answers[min($count, count($answers) - 1)];
http_response_code($status);
array_map(header(...), $headers);
echo $body;
