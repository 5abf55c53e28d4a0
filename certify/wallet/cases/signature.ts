import { bodyOf, type Callback } from "../calls/callback.ts";
import type { Delivery, SignedHeader } from "../calls/delivery.ts";
import type { Case, Category } from "../case.ts";
import type { RuleId } from "../rules.ts";
import { differs, type Trial } from "../trial.ts";
import { secondSignature } from "./second-signature.ts";

const VERIFY =
  "Compute the signature over the raw bytes of the request before you parse them, compare all 64 digits in constant time, and answer 401 when they differ.";
const MINUTE = 60_000;

/** A forged win must not move money. */
function forged(
  id: string,
  title: string,
  forge: (it: Trial, win: Callback) => Delivery,
  more: Partial<Case> = {},
): Case {
  return {
    id,
    title,
    rule: "contract-signature",
    fix: VERIFY,
    async run(it) {
      const before = await it.fund(it.player, 0n);
      const win = it.player.win(500n);
      await it.refuses(win, forge(it, win));
      await it.balanceIs(it.player, before, "a callback that is not genuine changes nothing");
    },
    ...more,
  };
}

/** A genuine win in an unusual form must be paid. */
function genuine(id: string, title: string, rule: RuleId, fix: string, deliver: (win: Callback) => Delivery): Case {
  return {
    id,
    title,
    rule,
    fix,
    async run(it) {
      const before = await it.fund(it.player, 0n);
      const win = it.player.win(500n);
      await it.accepts(win, undefined, deliver(win));
      await it.balanceIs(it.player, before + 500n, "a genuine callback is applied");
    },
  };
}

const missing = (header: SignedHeader): Case =>
  forged(
    `missing-${header.slice(2).toLowerCase()}`,
    `A callback without ${header} is refused`,
    () => ({ omit: header }),
    {
      rule: "sign-callback",
      fix: `Refuse a callback that has no ${header}.`,
    },
  );

const spaced = (win: Callback): string => JSON.stringify(JSON.parse(bodyOf(win)), null, 1);

const cases: readonly Case[] = [
  forged("zeros", "A made-up signature is refused", () => ({ signature: "zeros" })),
  forged("wrong-secret", "A callback signed with another secret is refused", () => ({ signedBy: "a wrong secret" })),
  missing("X-Signature"),
  missing("X-Timestamp"),
  missing("X-Nonce"),
  missing("X-Merchant-Id"),
  {
    id: "every-action",
    title: "The signature of every action is checked, also of a balance query",
    rule: "contract-signature",
    fix: VERIFY,
    async run(it) {
      const { player } = it;
      await it.fund(player, 1_000n);
      const [bet, win] = [player.bet(500n), player.win(500n)];
      await it.accepts(bet);
      await it.accepts(win);
      const before = await it.balance(player);
      for (const callback of [
        player.query(),
        player.bet(250n),
        player.win(250n),
        player.refund(bet),
        player.rollback(win),
      ])
        await it.refuses(callback, { signedBy: "a wrong secret" });
      await it.balanceIs(player, before, "callbacks that are not genuine change nothing");
    },
  },
  forged("tampered-amount", "An amount changed after signing is refused", (_, win) => ({
    signed: { body: bodyOf(win) },
    body: bodyOf({ ...win, fields: { ...win.fields, amount: 900n } }),
  })),
  forged("tampered-byte", "One changed byte is refused", (_, win) => ({
    signed: { body: bodyOf(win) },
    body: bodyOf(win).replace("round-", "round_"),
  })),
  forged(
    "tampered-spaces",
    "Spaces added after signing are refused: the raw bytes count",
    (_, win) => ({ signed: { body: bodyOf(win) }, body: spaced(win) }),
    {
      rule: "sign-body",
      fix: "Verify the signature over the received bytes, not over JSON that you parsed and wrote again.",
    },
  ),
  genuine(
    "raw-spaces",
    "A body with spaces and line ends that was signed as it is, is accepted",
    "sign-body",
    "Verify the signature over the received bytes, not over JSON that you parsed and wrote again.",
    (win) => ({ body: spaced(win) }),
  ),
  {
    id: "raw-utf-8",
    title: "A body with non-ASCII letters, slashes and an emoji is accepted",
    rule: "sign-body",
    fix: "Take the body as bytes. Frameworks that escape `/` or `ã`, or read the body as Latin-1, sign another text.",
    async run(it) {
      const before = await it.fund(it.player, 0n);
      await it.accepts(it.player.win(500n, { game: 'ação/1 €🎰 \\ " <b>&' }));
      await it.balanceIs(it.player, before + 500n, "a genuine callback is applied");
    },
  },
  forged("stale", "A callback signed 10 minutes ago is refused", () => ({ clock: -10 * MINUTE }), {
    rule: "sign-time",
    fix: "Refuse a timestamp that is more than 5 minutes from your clock.",
  }),
  forged("future", "A callback signed 10 minutes ahead is refused", () => ({ clock: 10 * MINUTE }), {
    rule: "sign-time",
    fix: "Refuse a timestamp that is more than 5 minutes from your clock, also in the future.",
  }),
  forged("seconds", "A timestamp in seconds is refused", () => ({ seconds: true }), {
    rule: "sign-check-timestamp",
    fix: "A timestamp has 13 digits. Refuse every other form.",
  }),
  genuine(
    "late",
    "A callback signed 4 minutes ago is accepted",
    "sign-time",
    "Accept timestamps up to 5 minutes off. If you do, set your server's clock by NTP.",
    () => ({ clock: -4 * MINUTE }),
  ),
  genuine(
    "early",
    "A callback signed 4 minutes ahead is accepted",
    "sign-time",
    "Accept timestamps up to 5 minutes off, in both directions: clocks differ.",
    () => ({ clock: 4 * MINUTE }),
  ),
  forged("other-method", "A signature of another method is refused", () => ({ signed: { method: "PUT" } }), {
    rule: "sign-method",
  }),
  forged("other-path", "A signature of another path is refused", () => ({ signed: { target: "/another/path" } }), {
    rule: "sign-target-callback",
    fix: "The signed text has the path and query of your walletUrl.",
  }),
  forged("half", "The first half of the right signature is refused", () => ({ signature: "first half" }), {
    rule: "sign-hex",
    fix: "Compare all 64 digits. Refuse a signature of any other length before you compare.",
  }),
  forged("upper-case", "A signature in upper case is refused", () => ({ signature: "upper case" }), {
    rule: "sign-hex",
    level: "should",
  }),
  forged("short-nonce", "A nonce of 8 characters is refused", () => ({ nonce: "ab12cd34" }), {
    rule: "sign-check-nonce-form",
    level: "should",
  }),
  forged("dotted-nonce", "A nonce with a dot is refused", () => ({ nonce: "0011223344556677.POST" }), {
    rule: "sign-check-nonce-form",
    level: "should",
    fix: "Check the nonce's form before the signature. If a nonce could have a dot, the signed text could be split into parts in two ways.",
  }),
  forged(
    "unknown-merchant",
    "A merchant that the wallet does not know is refused",
    () => ({ merchant: "certify-no-such-merchant" }),
    {
      fix: "Look up the secret by X-Merchant-Id. Refuse an unknown code, and never use a default secret.",
    },
  ),
  forged(
    "other-merchants-secret",
    "A callback of this merchant signed with the other merchant's secret is refused",
    (it) => ({ signedBy: it.other.account }),
    {
      needs: { other: true },
      fix: "Look up the secret by X-Merchant-Id. Do not try the secrets of all merchants.",
    },
  ),
  {
    id: "no-trace",
    title: "A refused callback has no effect: the genuine callback with the same tx_id is applied",
    rule: "contract-signature",
    fix: "Check the signature before you store anything. Otherwise an attacker can use up a tx_id before the genuine callback arrives.",
    async run(it) {
      const before = await it.fund(it.player, 500n);
      const [bet, win] = [it.player.bet(500n), it.player.win(250n)];
      for (const callback of [bet, win]) await it.refuses(callback, { signedBy: "a wrong secret" });
      await it.accepts(bet);
      await it.accepts(win);
      await it.balanceIs(it.player, before - 250n, "the genuine bet and win were applied");
    },
  },
  {
    id: "replayed",
    title: "A recorded callback that is sent again, byte for byte, moves the money once",
    rule: "contract-replay",
    fix: "Apply each tx_id once. You may also store nonces.",
    async run(it) {
      const before = await it.fund(it.player, 0n);
      const win = it.player.win(500n);
      const { sent } = await it.accepts(win);
      for (const _ of [1, 2]) await it.send(win, { again: sent.headers });
      await it.balanceIs(it.player, before + 500n, "one win, however often it is replayed");
    },
  },
  {
    id: "answer",
    title: "The answer to a wrong signature is 401 with `ok` false, or 503 while the secret is being changed",
    rule: "contract-rotation",
    level: "should",
    fix: 'Answer 401 with {"ok":false,"error":"INVALID_SIGNATURE"}.',
    async run(it) {
      const exchange = await it.send(it.player.query(), { signedBy: "a wrong secret" });
      const { status, meaning } = exchange.reply;
      if (status === 503 || (meaning.kind === "rejected" && status === 401)) return;
      // A wallet may answer every rejection with the status 200, including this rejection.
      if (status === 200 && meaning.kind === "rejected") return;
      throw differs("HTTP 401 with `ok` false, or HTTP 503", exchange);
    },
  },
];

export const signature: Category = { id: "signature", title: "Signature", cases: [...cases, ...secondSignature] };
