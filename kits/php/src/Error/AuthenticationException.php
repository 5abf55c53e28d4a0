<?php

declare(strict_types=1);

namespace GameAggregator\Kit\Error;

/** The signature, its headers or its time are wrong. */
final class AuthenticationException extends AggregatorException
{
}
