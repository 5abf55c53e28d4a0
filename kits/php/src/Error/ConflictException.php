<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Error;

/** The present state does not allow the call: an ambiguous game, no walletUrl, a transaction that cannot be resent. */
final class ConflictException extends AggregatorException
{
}
