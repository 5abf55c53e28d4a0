<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Error;

/** There was no answer, or none that can be read. Whether the service got the call is unknown. */
final class ConnectionException extends \RuntimeException
{
}
