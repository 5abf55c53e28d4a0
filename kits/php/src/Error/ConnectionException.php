<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Error;

/** There was no answer, or the answer is unreadable. The service may have received the call. */
final class ConnectionException extends \RuntimeException
{
}
