<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Error;

/** Too many calls. */
final class RateLimitedException extends AggregatorException
{
}
