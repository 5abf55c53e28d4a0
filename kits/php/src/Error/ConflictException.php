<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Error;

/** The call does not fit what there is: an ambiguous game, no walletUrl, a transaction that cannot be resent. */
final class ConflictException extends AggregatorException
{
}
