<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Error;

/** The service or a provider cannot serve the call now. The same call may succeed later. */
final class UnavailableException extends AggregatorException
{
}
