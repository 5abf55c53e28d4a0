import type { Case } from "../case.ts";

/**
 * While a secret is being changed, a callback has two signatures: X-Signature is made with the old secret and
 * X-Signature-Next with the new one. A wallet that has only one of these secrets cannot check the signature of the
 * other secret.
 */
export const secondSignature: readonly Case[] = [
  {
    id: "next-ignored",
    title: "A callback with a valid X-Signature is accepted, also with an X-Signature-Next by an unknown secret",
    rule: "contract-next",
    level: "should",
    fix: "Ignore X-Signature-Next when it matches none of your secrets. Otherwise you reject every bet during a change of your secret.",
    async run(it) {
      const before = await it.fund(it.player, 0n);
      const win = it.player.win(500n);
      await it.accepts(win, undefined, { nextSignedBy: "a wrong secret" });
      await it.balanceIs(it.player, before + 500n, "a genuine callback is applied");
    },
  },
  {
    id: "next-accepted",
    title: "A callback with a valid X-Signature-Next is accepted, although its X-Signature is by an unknown secret",
    rule: "contract-next",
    level: "should",
    fix: "Compare both X-Signature and X-Signature-Next with the signature by your secret. Then you can change the secret without a gap, and need not list two secrets.",
    async run(it) {
      const { account } = it.player;
      const balance = await it.balance(it.player);
      await it.accepts(it.player.query(), balance, { signedBy: "a wrong secret", nextSignedBy: account });
    },
  },
  {
    id: "next-alone",
    title: "A callback with X-Signature-Next alone is accepted when it fits",
    rule: "contract-next",
    level: "should",
    fix: "Take whichever of X-Signature and X-Signature-Next is there and fits. Do not ask for X-Signature first.",
    async run(it) {
      const { account } = it.player;
      const balance = await it.balance(it.player);
      await it.accepts(it.player.query(), balance, { omit: "X-Signature", nextSignedBy: account });
    },
  },
  {
    id: "next-forged",
    title: "A callback with two wrong signatures is refused",
    rule: "contract-signature",
    fix: "Check X-Signature-Next as you check X-Signature: its presence proves nothing.",
    async run(it) {
      const before = await it.fund(it.player, 0n);
      await it.refuses(it.player.win(500n), { signedBy: "a wrong secret", nextSignedBy: "a wrong secret" });
      await it.balanceIs(it.player, before, "a callback that is not genuine changes nothing");
    },
  },
];
