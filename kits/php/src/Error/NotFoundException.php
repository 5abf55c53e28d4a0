<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Error;

/** There is no such game, transaction, round or path. */
final class NotFoundException extends AggregatorException
{
}
