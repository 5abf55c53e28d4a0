<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Adapter;

use GameAggregator\Kit\Wallet\Wallet;
use Psr\Http\Message\ResponseFactoryInterface;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Message\StreamFactoryInterface;
use Psr\Http\Server\MiddlewareInterface;
use Psr\Http\Server\RequestHandlerInterface;

/**
 * The wallet in frameworks with PSR-15: Slim, Mezzio, and others through a bridge. As a handler it answers every
 * request. As a middleware it answers the requests to its path and passes the others on.
 */
final class Psr15Handler implements RequestHandlerInterface, MiddlewareInterface
{
    /** @param string $path the path that the middleware answers */
    public function __construct(
        private readonly Wallet $wallet,
        private readonly ResponseFactoryInterface $responses,
        private readonly StreamFactoryInterface $streams,
        private readonly string $path = '/wallet',
    ) {
    }

    public function handle(ServerRequestInterface $request): ResponseInterface
    {
        // The text of the request line, if the server provides it: a URI object may have changed the encoding.
        $target = $request->getServerParams()['REQUEST_URI'] ?? $request->getRequestTarget();
        $headers = array_map(array_values(...), $request->getHeaders());
        $reply = $this->wallet->handle($request->getMethod(), $target, $headers, self::body($request));
        return $this->responses->createResponse($reply->status)
            ->withHeader('Content-Type', 'application/json')
            ->withBody($this->streams->createStream($reply->body));
    }

    /** The body, at most one byte longer than the limit, so that the wallet can detect a body that is too large. */
    private static function body(ServerRequestInterface $request): string
    {
        $stream = $request->getBody();
        if ($stream->isSeekable()) {
            $stream->rewind();
        }
        $body = '';
        while (strlen($body) <= Wallet::BODY_MAX_BYTES && !$stream->eof()) {
            $body .= $stream->read(Wallet::BODY_MAX_BYTES + 1 - strlen($body));
        }
        return $body;
    }

    public function process(ServerRequestInterface $request, RequestHandlerInterface $handler): ResponseInterface
    {
        return $request->getUri()->getPath() === $this->path ? $this->handle($request) : $handler->handle($request);
    }
}
