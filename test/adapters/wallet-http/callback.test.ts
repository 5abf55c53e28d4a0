import test from "ava";
import fc from "fast-check";
import { balanceBody, signedHeaders, transactionBody } from "../../../src/adapters/wallet-http/callback.ts";
import { sign } from "../../../src/domain/signing/signing.ts";
import type { Action, Content } from "../../../src/domain/transaction/transaction.ts";
import type { PlayerId, ProviderCode, TxId } from "../../../src/domain/values/identifiers.ts";
import type { Labels } from "../../../src/domain/values/labels.ts";
import { CURRENCIES, fromDecimal } from "../../../src/domain/values/money.ts";
import { cases } from "../../domain/signing/vectors.ts";
import { bet, query, SECRET, target } from "./wallet-fixture.ts";

const vector = (name: string): string => cases.find((entry) => entry.name === name)?.body ?? "";

const game = (provider: string, code: string): Content["game"] => ({
  id: 1,
  code,
  providerId: 1,
  provider: provider as ProviderCode,
});

test("the bodies of callbacks equal those of the test vectors, byte for byte", (t) => {
  t.is(balanceBody(query()), vector("callback balance"));
  const sportsbook = bet({
    playerId: "joão-1" as PlayerId,
    game: game("SPORTSBOOK", "sportsbook"),
    txId: "SPORTSBOOK:t_1" as TxId,
    roundId: "r_1",
  });
  t.is(transactionBody(sportsbook), vector("callback bet"));
  const refund = bet({
    action: "refund",
    playerId: "u-9" as PlayerId,
    currency: "CLP",
    game: game("ACME", "x"),
    txId: "ACME:r1" as TxId,
    roundId: "r",
    amountMinor: 1_500n,
    refTxId: "ACME:t1" as TxId,
  });
  t.is(transactionBody(refund), vector("callback refund in CLP"));
});

test("a request of a provider without kinds gives the recorded bytes", (t) => {
  const of = (action: Action, more: Partial<Content> = {}) =>
    transactionBody(
      bet({ action, txId: "ACME:77120" as TxId, roundId: "r-9", game: game("ACME", "book-of-x"), ...more }),
    );
  const about =
    '"player_id":"u-1","currency":"BRL","provider":"ACME","game":"book-of-x","tx_id":"ACME:77120","round_id":"r-9","amount":2.5';
  const ref = { refTxId: "ACME:1" as TxId };
  t.is(of("bet"), `{"action":"bet",${about}}`);
  t.is(of("win"), `{"action":"win",${about}}`);
  t.is(of("win", { bet: { txId: "ACME:1" as TxId, settles: true } }), `{"action":"win",${about}}`);
  t.is(of("refund", ref), `{"action":"refund",${about},"ref_tx_id":"ACME:1"}`);
  t.is(of("rollback", ref), `{"action":"rollback",${about},"ref_tx_id":"ACME:1"}`);
});

test("a transaction that ends its round has round_ended as its last key", (t) => {
  const labels = { kind: "tip", promoId: "p", jackpotId: null, jackpotTier: null, jackpotMicros: null } as const;
  const plain = transactionBody(bet()).slice(0, -1);
  t.is(transactionBody(bet({ roundEnded: true })), `${plain},"round_ended":true}`);
  t.is(transactionBody(bet({ roundEnded: true, labels })), `${plain},"kind":"tip","promo_id":"p","round_ended":true}`);
});

test("kind and promo_id are the last keys of a callback, each only if it is given", (t) => {
  const none = { kind: null, promoId: null, jackpotId: null, jackpotTier: null, jackpotMicros: null };
  const plain = transactionBody(bet()).slice(0, -1);
  const of = (labels: Partial<Labels>) => transactionBody(bet({ labels: { ...none, ...labels } }));
  t.is(of({ kind: "tip", promoId: 'p\u2028"' }), `${plain},"kind":"tip","promo_id":"p\u2028\\""}`);
  t.is(of({ kind: "tip" }), `${plain},"kind":"tip"}`);
  t.is(of({ promoId: "p" }), `${plain},"promo_id":"p"}`);
  t.is(of({ jackpotId: "mega", jackpotTier: "grand", jackpotMicros: 5n }), `${plain}}`);
});

test("a callback has a second signature during the overlap of a new secret, and only then", (t) => {
  const body = Buffer.from(transactionBody(bet()));
  const stamp = {
    now: 1_767_225_600_000,
    nonce: "00112233445566778899aabbccddeeff",
    requestId: "r",
    attempt: 1,
    traceparent: undefined,
  };
  const headersOf = (nextSecret: string | null) => {
    const list = signedHeaders({ ...target("https://wallet.example/w?a=1"), nextSecret }, "/w?a=1", body, stamp);
    return Object.fromEntries(list.flatMap((name, i) => (i % 2 === 0 ? [[name, list[i + 1]]] : [])));
  };
  const parts = { timestamp: "1767225600000", nonce: stamp.nonce, method: "POST", target: "/w?a=1", body };
  t.is(headersOf(null)["X-Signature"], sign(SECRET, parts));
  t.false("X-Signature-Next" in headersOf(null));
  t.is(headersOf("sk_next")["X-Signature"], sign(SECRET, parts));
  t.is(headersOf("sk_next")["X-Signature-Next"], sign("sk_next", parts));
});

const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 });
const contents = fc
  .record({
    action: fc.constantFrom<Action>("bet", "win", "refund", "rollback"),
    player: text,
    tx: text,
    round: text,
    ref: text,
    game: text,
    currency: fc.constantFrom(...CURRENCIES),
    amount: fc.bigInt({ min: 1n, max: 9_999_999_999n }),
  })
  .map((drawn) =>
    bet({
      action: drawn.action,
      playerId: drawn.player as PlayerId,
      txId: drawn.tx as TxId,
      roundId: drawn.round,
      refTxId: drawn.action === "refund" || drawn.action === "rollback" ? (drawn.ref as TxId) : null,
      game: game("ACME", drawn.game),
      currency: drawn.currency,
      amountMinor: drawn.amount,
    }),
  );

test("a body is JSON with the content's fields in the documented order", (t) => {
  fc.assert(
    fc.property(contents, (content) => {
      const parsed = JSON.parse(transactionBody(content)) as Record<string, unknown>;
      const { amount, ...rest } = parsed;
      t.deepEqual(rest, {
        action: content.action,
        player_id: content.playerId,
        currency: content.currency,
        provider: content.game.provider,
        game: content.game.code,
        tx_id: content.txId,
        round_id: content.roundId,
        ...(content.refTxId === null ? {} : { ref_tx_id: content.refTxId }),
      });
      const order = ["action", "player_id", "currency", "provider", "game", "tx_id", "round_id", "amount"];
      t.deepEqual(Object.keys(parsed), content.refTxId === null ? order : [...order, "ref_tx_id"]);
      t.is(typeof amount, "number");
    }),
  );
});

test("an amount in a callback is the exact decimal: no exponent, no trailing zero, at most the currency's decimals", (t) => {
  fc.assert(
    fc.property(contents, (content) => {
      const literal =
        /"amount":([^,}]*)/.exec(
          transactionBody({
            ...content,
            playerId: "u" as PlayerId,
            txId: "t" as TxId,
            roundId: "r",
            game: game("ACME", "g"),
          }),
        )?.[1] ?? "";
      t.regex(literal, content.currency === "CLP" ? /^[1-9]\d*$/ : /^(0|[1-9]\d*)(\.\d?[1-9])?$/);
      t.is(fromDecimal(literal, content.currency), content.amountMinor);
    }),
  );
});

test("the same content gives the same bytes, even from another object", (t) => {
  fc.assert(
    fc.property(contents, (content) => {
      const reversed = Object.fromEntries(Object.entries(content).reverse()) as unknown as Content;
      t.is(transactionBody(reversed), transactionBody(structuredClone(content)));
    }),
  );
});
