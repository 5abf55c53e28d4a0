<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Error;

/** The merchant, its address, its currency or its products do not allow the call. */
final class PermissionException extends AggregatorException
{
}
