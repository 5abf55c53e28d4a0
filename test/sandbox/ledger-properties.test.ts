import test from "ava";
import fc from "fast-check";
import { Ledger, type LedgerRules, type Reply } from "../../sandbox/merchant/ledger.ts";

const MERCHANTS = ["shop", "loja"] as const;
const PLAYERS = ["u-1", "u-2"] as const;
const OPENING = 500n;

/** There are few ids, players and amounts, so that most requests repeat, contradict or reverse another request. */
const original = fc.integer({ min: 1, max: 4 }).map((n) => `ACME:${n}`);
const reversal = fc.integer({ min: 1, max: 4 }).map((n) => `ACME:r${n}`);
const anyId = fc.oneof({ weight: 9, arbitrary: original }, { weight: 1, arbitrary: reversal });
const reversalId = fc.oneof({ weight: 9, arbitrary: reversal }, { weight: 1, arbitrary: original });
const common = {
  merchant: fc.constantFrom(...MERCHANTS),
  player: fc.constantFrom(PLAYERS[0], PLAYERS[0], PLAYERS[0], PLAYERS[1], "nobody"),
  amount: fc.constantFrom(1, 1, 1, 2.5),
};
const request = fc
  .oneof(
    fc.record({ ...common, action: fc.constantFrom("bet", "win"), txId: anyId, ref: fc.constant(undefined) }),
    fc.record({ ...common, action: fc.constantFrom("refund", "rollback"), txId: reversalId, ref: anyId }),
  )
  .map(({ merchant, action, player, txId, ref, amount }) => ({
    merchant,
    body: {
      action,
      player_id: player,
      currency: "BRL",
      provider: "ACME",
      game: "g",
      tx_id: txId,
      round_id: "r",
      amount,
      ...(ref === undefined ? {} : { ref_tx_id: ref }),
    },
  }));
const requests = fc.array(request, { minLength: 10, maxLength: 60 });
const rules = fc.record({ tombstones: fc.boolean(), keepsRejections: fc.boolean() });

function run(
  sent: readonly { merchant: string; body: object }[],
  by: Partial<LedgerRules>,
): { wallet: Ledger; replies: Reply[] } {
  const wallet = new Ledger(by);
  for (const merchant of MERCHANTS) {
    wallet.addMerchant(merchant, "BRL");
    for (const player of PLAYERS) wallet.addPlayer(merchant, player, OPENING);
  }
  return { wallet, replies: sent.map(({ merchant, body }) => wallet.apply(merchant, body)) };
}

test("for any requests in any order, each tx_id is applied at most once per merchant", (t) => {
  fc.assert(
    fc.property(requests, rules, (sent, by) => {
      const applied = run(sent, by).wallet.effects.map(({ merchant, txId }) => `${merchant}/${txId}`);
      t.is(new Set(applied).size, applied.length);
    }),
  );
});

test("for any requests, a balance is its initial amount plus the sum of the amounts that were applied", (t) => {
  fc.assert(
    fc.property(requests, rules, (sent, by) => {
      const { wallet } = run(sent, by);
      for (const merchant of MERCHANTS) {
        for (const player of PLAYERS) {
          const own = wallet.effects.filter((effect) => effect.merchant === merchant && effect.player === player);
          t.is(
            wallet.balanceMinor(merchant, player),
            own.reduce((sum, { deltaMinor }) => sum + deltaMinor, OPENING),
          );
        }
      }
    }),
  );
});

test("when every request is sent again, no request is applied twice, and applied requests get the same replies", (t) => {
  fc.assert(
    fc.property(requests, rules, (sent, by) => {
      const { wallet, replies } = run(sent, by);
      const before = new Set(wallet.effects);
      sent.forEach(({ merchant, body }, at) => {
        const reply = wallet.apply(merchant, body);
        if (replies[at]?.ok === true) t.deepEqual(reply, replies[at]);
      });
      const again = wallet.effects.slice(before.size).map(({ merchant, txId }) => `${merchant}/${txId}`);
      const first = [...before].map(({ merchant, txId }) => `${merchant}/${txId}`);
      t.deepEqual(
        again.filter((key) => first.includes(key)),
        [],
      );
    }),
  );
});

test("a transaction is reversed at most once, by its whole amount, and only after it was applied", (t) => {
  let reversals = 0;
  fc.assert(
    fc.property(requests, rules, (sent, by) => {
      const { effects } = run(sent, by).wallet;
      const reversed = new Set<string>();
      effects.forEach((effect, at) => {
        if (effect.refTxId === null) return;
        const original = effects
          .slice(0, at)
          .find(({ merchant, txId }) => merchant === effect.merchant && txId === effect.refTxId);
        t.is(original?.deltaMinor, -effect.deltaMinor);
        t.is(original?.player, effect.player);
        t.false(reversed.has(`${effect.merchant}/${effect.refTxId}`));
        reversed.add(`${effect.merchant}/${effect.refTxId}`);
        reversals += 1;
      });
    }),
  );
  t.true(reversals > 10, "the property was about something");
});

test("a wallet with tombstones never applies a transaction after its reversal has got TRANSACTION_NOT_FOUND", (t) => {
  let tombstones = 0;
  fc.assert(
    fc.property(requests, (sent) => {
      const { wallet, replies } = run(sent, { tombstones: true });
      sent.forEach(({ merchant, body }, at) => {
        const reply = replies[at];
        if (reply?.ok !== false || reply.error !== "TRANSACTION_NOT_FOUND" || !("ref_tx_id" in body)) return;
        const before = run(sent.slice(0, at), { tombstones: true }).wallet.effects;
        const isTarget = (effect: { merchant: string; txId: string }): boolean =>
          effect.merchant === merchant && effect.txId === body.ref_tx_id;
        t.is(wallet.effects.filter(isTarget).length, before.filter(isTarget).length);
        tombstones += 1;
      });
    }),
  );
  t.true(tombstones > 10, "the property was about something");
});
