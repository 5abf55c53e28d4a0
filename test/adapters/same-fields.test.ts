import { create, type MessageInitShape, toJson } from "@bufbuild/protobuf";
import test from "ava";
import fc from "fast-check";
import { ITEM_FIELDS } from "../../contract/transactions/fields.ts";
import { KIND_NAMES } from "../../contract/transactions/kinds.ts";
import { transactionOf } from "../../src/adapters/grpc/admin/transactions.ts";
import { toAttempt, toTransaction } from "../../src/adapters/grpc/messages/transaction-message.ts";
import { toOffered } from "../../src/adapters/grpc/operator/catalog.ts";
import { attemptItem, itemCells, transactionItem } from "../../src/adapters/rest/replies/transaction-item.ts";
import { gameItem } from "../../src/adapters/rest/routes/games.ts";
import type { Settings } from "../../src/app/runtime/settings.ts";
import { plain } from "../../src/cli/output/plain.ts";
import { NEVER, type Transaction } from "../../src/domain/transaction/transaction.ts";
import type { PlayerId, ProviderCode, TxId } from "../../src/domain/values/identifiers.ts";
import { CURRENCIES, fromDecimal } from "../../src/domain/values/money.ts";
import * as admin from "../../src/gen/aggregator/admin/v1/transaction_pb.ts";
import { GameSchema } from "../../src/gen/aggregator/operator/v1/game_pb.ts";
import { AttemptSchema, TransactionSchema } from "../../src/gen/aggregator/operator/v1/transaction_pb.ts";
import type { Game } from "../../src/ports/settings-store.ts";
import type { ListedTransaction, LoggedAttempt } from "../../src/ports/transactions/transaction-reader.ts";
import { csvLine, protectedText } from "../../web-files/csv.ts";

const RESULTS = ["accepted", "rejected", "timeout", "connect", "tls", "http_5xx", "not_json", "no_ok"] as const;
const text = fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 12 }).map((one) => `x${one}`);
const orNull = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: null });
const time = fc.integer({ min: 0, max: 4_000_000_000_000 });
const minor = fc.bigInt({ min: 1n, max: 9_000_000_000_000n });

const state = fc.oneof(
  fc.constant({ status: "void" as const }),
  fc.constant({ status: "pending" as const }),
  fc.record({ status: fc.constant("success" as const), balanceMinor: orNull(minor) }),
  fc.record({ status: fc.constant("success" as const), balanceMinor: orNull(minor), rejected: text }),
  fc.record({ status: fc.constant("failed" as const), error: text }),
);
const resolvedBy = orNull(
  fc.oneof(
    fc.constantFrom("resend" as const, "manual" as const),
    text.map((id) => `refund:ACME:${id}` as const),
    text.map((id) => `rollback:ACME:${id}` as const),
  ),
);
const labels = fc.record({
  kind: orNull(fc.constantFrom(...KIND_NAMES)),
  promoId: orNull(text),
  jackpotId: orNull(text),
  jackpotTier: orNull(text),
  jackpotMicros: orNull(fc.bigInt({ min: 1n, max: 1_000_000_000_000n })),
});
const books = fc.record({
  merchantId: fc.constant(1),
  txId: text as fc.Arbitrary<string> as fc.Arbitrary<TxId>,
  action: fc.constantFrom("bet", "win", "refund", "rollback"),
  playerId: text as fc.Arbitrary<string> as fc.Arbitrary<PlayerId>,
  roundId: text,
  amountMinor: minor,
  currency: fc.constantFrom(...CURRENCIES),
  game: fc.record({
    id: fc.constant(7),
    code: text,
    providerId: fc.constant(3),
    provider: text as fc.Arbitrary<string> as fc.Arbitrary<ProviderCode>,
  }),
  refTxId: orNull(text as fc.Arbitrary<string> as fc.Arbitrary<TxId>),
  attempts: fc.nat(20),
  leaseToken: fc.constant("0".repeat(32)),
  leaseUntil: orNull(time),
  silentAt: orNull(time),
  nextAt: orNull(fc.oneof(time, fc.constant(NEVER))),
  reversedBy: orNull(text as fc.Arbitrary<string> as fc.Arbitrary<TxId>),
  settledBy: orNull(text as fc.Arbitrary<string> as fc.Arbitrary<TxId>),
  labels: fc.option(labels, { nil: undefined }),
  resolvedBy,
  createdAt: time,
  openedAt: time,
  updatedAt: time,
  readAt: time,
});
const listed: fc.Arbitrary<ListedTransaction> = fc
  .tuple(books, state, orNull(fc.constantFrom(...RESULTS)))
  .map(([row, own, lastResult]) => ({ id: 1n, transaction: { ...row, ...own } as Transaction, lastResult }));

/** The fields of the message, by their names in the proto. The CLI prints a record like this. */
const ofMessage = <S extends typeof TransactionSchema | typeof admin.TransactionSchema>(
  schema: S,
  message: MessageInitShape<S>,
) => plain(schema, create(schema, message));
const settings = { merchantById: () => ({ code: "shop" }) } as unknown as Settings;
/** These fields have only the messages of the administration. */
const withoutOwn = ({
  merchant: _m,
  reversed_by: _r,
  in_flight: _i,
  opened_at: _o,
  ...fields
}: Record<string, unknown>) => fields;

const toJsonObject = (message: admin.Transaction) =>
  toJson(admin.TransactionSchema, message) as Readonly<Record<string, unknown>>;

/** A line of CSV, without its line break, as its cells. */
const cellsOf = (line: string) =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,"]*))/g)].map(([, quoted, bare]) =>
    quoted === undefined ? bare : quoted.replaceAll('""', '"'),
  );

test("REST, CSV, gRPC, the console and the CLI show the same fields of every transaction", (t) => {
  fc.assert(
    fc.property(listed, (one) => {
      const item = transactionItem(one);
      const { currency } = one.transaction;
      const { amount, balance, ...rest } = JSON.parse(JSON.stringify(item));
      const restForm = {
        ...rest,
        amount_minor: Number(fromDecimal(item.amount.rawJSON, currency)),
        balance_minor: item.balance === null ? null : Number(fromDecimal(item.balance.rawJSON, currency)),
      };
      t.is(String(amount), String(Number(item.amount.rawJSON)));
      t.is(balance === null, item.balance === null);
      const operator = ofMessage(TransactionSchema, toTransaction(one));
      t.deepEqual(operator, restForm);
      const administration = transactionOf(settings)(one);
      t.deepEqual(withoutOwn(ofMessage(admin.TransactionSchema, administration)), restForm);

      // The console's pages read the message as JSON, which leaves out empty fields and writes bigints as text.
      const shownInConsole = { ...toJsonObject(create(admin.TransactionSchema, administration)) };
      for (const [field, value] of Object.entries(operator)) {
        const there = shownInConsole[field.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())];
        const isTime = field.endsWith("_at") && value !== null;
        const comparable = (given: unknown) => (isTime ? Date.parse(String(given)) : String(given || ""));
        t.is(comparable(there), comparable(value), field);
      }

      t.deepEqual(Object.keys(item), Object.keys(ITEM_FIELDS));
      const line = csvLine(itemCells(one)).replace(/\r\n$/, "");
      const asCells = Object.values(item).map((value) => {
        if (typeof value !== "object") return protectedText(String(value));
        if (value === null) return "";
        return "rawJSON" in value ? value.rawJSON : protectedText(JSON.stringify(value));
      });
      t.deepEqual(cellsOf(line), asCells);
    }),
    { numRuns: 500 },
  );
});

const attempt: fc.Arbitrary<LoggedAttempt> = fc.record({
  n: fc.nat(2_000),
  at: time,
  durationMs: orNull(fc.double({ min: 0, max: 60_000, noNaN: true })),
  httpStatus: orNull(fc.integer({ min: 200, max: 599 })),
  result: orNull(fc.constantFrom(...RESULTS)),
  requestId: orNull(text),
  replyStart: fc.option(text, { nil: undefined }),
  error: fc.option(text, { nil: undefined }),
});

test("REST, gRPC and the CLI show the same fields of every attempt", (t) => {
  fc.assert(
    fc.property(attempt, (one) => {
      const expected = JSON.parse(JSON.stringify(attemptItem(one)));
      t.deepEqual(plain(AttemptSchema, create(AttemptSchema, toAttempt(one))), expected);
      t.deepEqual(plain(admin.AttemptSchema, create(admin.AttemptSchema, toAttempt(one))), expected);
    }),
    { numRuns: 300 },
  );
});

const details = fc.record(
  {
    images: fc.record({ thumb: orNull(text), square: orNull(text), background: orNull(text) }),
    tags: fc.array(text),
    rtp: fc.double({ min: 0.01, max: 100, noNaN: true }),
    volatility: text,
    free_rounds: fc.boolean(),
    jackpot: fc.boolean(),
    platforms: fc.array(text),
    languages: fc.array(text),
    blocked_countries: fc.array(text),
    released_at: time.map((ms) => new Date(ms).toISOString()),
    names: fc.dictionary(fc.constantFrom("pt", "pt-BR", "es", "en"), text),
  },
  { requiredKeys: [] },
);
const game = fc.record({
  id: fc.constant(7),
  provider: text as fc.Arbitrary<string> as fc.Arbitrary<ProviderCode>,
  providerId: fc.constant(3),
  code: text,
  name: text,
  type: fc.constantFrom("slot", "live"),
  demoAvailable: fc.boolean(),
  active: fc.boolean(),
  details,
  updatedAt: time,
  searchText: fc.constant(""),
});

test("REST and gRPC show the same fields of every game, in every language", (t) => {
  fc.assert(
    fc.property(
      game,
      fc.boolean(),
      time,
      fc.constantFrom(undefined, "pt", "pt-br", "es", "en-gb"),
      (one, active, at, lang) => {
        const offered = { game: one as unknown as Game, active, updatedAt: at };
        const { names = {}, ...item } = JSON.parse(JSON.stringify(gameItem(offered, lang ?? null)));
        const message = Object.fromEntries(
          Object.entries(plain(GameSchema, create(GameSchema, toOffered(offered, lang)))).map(([field, value]) => [
            field,
            // A list that may be absent is a message with one field.
            (value as { values?: string[] } | null)?.values ?? value,
          ]),
        );
        t.deepEqual(message, { ...item, names });
      },
    ),
    { numRuns: 300 },
  );
});
