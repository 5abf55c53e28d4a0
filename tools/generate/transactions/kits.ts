import { ITEM_FIELDS, type ItemField } from "../../../contract/transactions/fields.ts";
import { source } from "../source.ts";

const HEAD = source("contract/transactions/");
const FIELDS: readonly (readonly [name: string, field: ItemField])[] = Object.entries(ITEM_FIELDS);

/** The text of all fields, each written by `line`. */
const each = (line: (name: string, field: ItemField) => string): string =>
  FIELDS.map(([name, field]) => line(name, field)).join("\n");

/** `ref_tx_id` as `RefTxId`. */
const pascal = (name: string): string =>
  name
    .split("_")
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join("");
const camel = (name: string): string => name.charAt(0) + pascal(name).slice(1);
/** `ref_tx_id` as `RefTxID`, as Go spells initialisms. */
const goName = (name: string): string => pascal(name).replace(/Id$/, "ID");

/** The type of a transaction in each kit. */
export const kitTransactions = (): Readonly<Record<string, string>> => ({
  "kits/typescript/src/client/gen/transaction.ts": typescript(),
  "kits/python/src/game_aggregator/transaction.py": python(),
  "kits/php/src/Data/Transaction.php": php(),
  "kits/go/client/transaction.go": go(),
  "kits/java/kit/src/main/java/aggregator/kit/client/Transaction.java": java(),
});

type Types = Readonly<Partial<Record<ItemField["type"], string>>>;

function typescript(): string {
  const types: Types = {
    action: "Action",
    amount: "Decimal",
    currency: "Currency",
    status: "Status",
    count: "number",
    time: "Time",
    jackpot: "Jackpot",
    micros: "number",
  };
  return `// ${HEAD}
import type { Currency, Decimal } from "../../money.ts";
import type { Action, Jackpot, Status, Time } from "../values.ts";

export interface Transaction {
${each(
  (name, { type, nullable, kit }) => `  /** ${kit} */
  readonly ${name}: ${types[type] ?? "string"}${nullable ? " | null" : ""};`,
)}
}
`;
}

function python(): string {
  const types: Types = { amount: "Decimal", count: "int", time: "datetime", jackpot: "Jackpot", micros: "int" };
  const value = (name: string, { type, nullable }: ItemField): string => {
    const read = { amount: nullable ? "decimal_or_none" : "Decimal", time: nullable ? "instant_or_none" : "instant" };
    const given = nullable ? `data.get("${name}")` : `data["${name}"]`;
    if (type === "jackpot") return `Jackpot.read_or_none(${given})`;
    return type === "amount" || type === "time" ? `${read[type]}(${given})` : given;
  };
  return `# ${HEAD}
"""A transaction in the merchant's lists."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from .attempt import Attempt
from .values import Jackpot, Json, decimal_or_none, instant, instant_or_none


@dataclass(frozen=True)
class Transaction:
${each(
  (name, { type, nullable, kit }) => `    ${name}: ${types[type] ?? "str"}${nullable ? " | None" : ""}
    """${kit}"""`,
)}
    attempt_log: list[Attempt]
    """The calls of the wallet; filled only when you read one transaction."""

    @classmethod
    def read(cls, data: Json) -> Transaction:
        return cls(
${each((name, field) => `            ${name}=${value(name, field)},`)}
            attempt_log=[Attempt.read(row) for row in data.get("attempt_log", [])],
        )
`;
}

function php(): string {
  const type = ({ type, nullable }: ItemField): string =>
    `${nullable ? "?" : ""}${type === "count" || type === "micros" ? "int" : type === "jackpot" ? "array" : "string"}`;
  const documented = (field: ItemField): string =>
    field.type === "jackpot" ? "array{id: string, tier: ?string}|null" : type(field);
  return `<?php // ${HEAD}

declare(strict_types=1);

namespace GameAggregator\\Kit\\Data;

/** A transaction as the service has it. Amounts and balances are exact decimals. */
final readonly class Transaction
{
    /**
${each((name, field) => `     * @param ${documented(field)} $${camel(name)} ${field.kit}`)}
     * @param list<array<string, mixed>> $attemptLog all calls to the wallet; filled only when you read one transaction
     */
    public function __construct(
${each((name, field) => `        public ${type(field)} $${camel(name)},`)}
        public array $attemptLog,
    ) {
    }

    /** @param array<string, mixed> $data the API's data */
    public static function of(array $data): self
    {
        return new self(
${each((name, { nullable }) => `            $data['${name}']${nullable ? " ?? null" : ""},`)}
            $data['attempt_log'] ?? [],
        );
    }
}
`;
}

function go(): string {
  const types: Types = { amount: "money.Amount", count: "int", time: "time.Time", jackpot: "Jackpot", micros: "int64" };
  return `// ${HEAD}

package client

import (
	"time"

	"aggregator.example/kits/go/money"
)

// Jackpot is a jackpot by the provider's names. Tier is nil if it has no tiers.
type Jackpot struct {
	ID   string  \`json:"id"\`
	Tier *string \`json:"tier"\`
}

// Transaction is a transaction that was sent to your wallet, with its result. A nil field is absent.
type Transaction struct {
${each(
  (name, { type, nullable, kit }) => `	// ${goName(name)}: ${kit}
	${goName(name)} ${nullable ? "*" : ""}${types[type] ?? "string"} \`json:"${name}"\``,
)}
	// AttemptLog: the calls of the wallet. Only Client.Transaction fills it.
	AttemptLog []Attempt \`json:"attempt_log"\`
}
`;
}

function java(): string {
  const types: Types = { amount: "BigDecimal", count: "int", time: "Instant", jackpot: "Jackpot", micros: "Long" };
  return `// ${HEAD}
package aggregator.kit.client;

import java.math.BigDecimal;
import java.time.Instant;

/**
 * A transaction as the service has it. The service may add values of texts such as {@code status}, so ignore unknown
 * values. An absent value is null.
 *
${each((name, { kit }) => ` * @param ${camel(name)} ${kit}`)}
 */
public record Transaction(
${FIELDS.map(([name, { type }]) => `    ${types[type] ?? "String"} ${camel(name)}`).join(",\n")}) {
  /** A jackpot by the provider's names. The tier is null if it has no tiers. */
  public record Jackpot(String id, String tier) {}
}
`;
}
