<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Error;

/** The call's form or content is wrong. */
final class ValidationException extends AggregatorException
{
}
