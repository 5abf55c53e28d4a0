<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Error;

/** The game, transaction, round or path does not exist. */
final class NotFoundException extends AggregatorException
{
}
