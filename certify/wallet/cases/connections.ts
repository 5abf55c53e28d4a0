import { bodyOf, type Callback } from "../calls/callback.ts";
import type { Delivery } from "../calls/delivery.ts";
import type { Player } from "../calls/player.ts";
import type { Case, Category } from "../case.ts";
import { accepted } from "../expectation.ts";

const WHOLE_BODY = "Wait for the whole body, as many bytes as Content-Length says, before you verify or parse it.";
const ATOMIC =
  "Write the balance, the transaction and its reply in one database transaction, and finish it whether or not the caller still listens.";

/**
 * The times between the end of the callback and the closing of the connection. For any wallet, some of these times
 * close the connection in the middle of the wallet's work. Every second connection is reset, so that the wallet learns
 * of it at once. Otherwise a fast wallet sends its whole reply before it learns that nobody reads it.
 */
const CUTS_MS = [0, 0, 0, 0, 1, 2, 3, 5, 8, 12, 20, 35, 60, 100];
const cutAt = (i: number): Delivery => ({
  cut: { body: "whole", afterMs: CUTS_MS[i] ?? 0, ...(i % 2 === 0 && { isReset: true }) },
});

const sent = (id: string, title: string, fix: string, delivery: (callback: Callback) => Delivery): Case => ({
  id,
  title,
  rule: "contract-signature",
  fix,
  async run(it) {
    const before = await it.fund(it.player, 0n);
    const win = it.player.win(500n, { game: "ação-🎰" });
    await it.accepts(win, undefined, delivery(win));
    await it.balanceIs(it.player, before + 500n, "the win was paid");
  },
});

/** Callbacks whose connections are cut at different moments. Then each callback is sent once more. */
const cutAndRepeated = (action: string, make: (player: Player) => Callback, delta: bigint): Case => ({
  id: `cut-${action}`,
  title: `A ${action} whose connection was closed while it was judged, and that comes again, is applied once`,
  rule: "contract-once",
  fix: ATOMIC,
  async run(it) {
    const before = await it.fund(it.player, 2_000n);
    const callbacks = CUTS_MS.map(() => make(it.player));
    await it.atOnce(callbacks, cutAt);
    it.expectAll(await it.settledAtOnce(callbacks), accepted());
    await it.balanceIs(
      it.player,
      before + BigInt(CUTS_MS.length) * delta,
      `${CUTS_MS.length} times a ${action}, each cut off and sent again`,
    );
  },
});

const cases: readonly Case[] = [
  sent("slow-sender", "A callback that arrives in pieces over a second is applied", WHOLE_BODY, (callback) => ({
    connection: "own",
    pieces: { at: [1, 40, Buffer.byteLength(bodyOf(callback)) - 1], pauseMs: 250 },
  })),
  sent(
    "split-character",
    "A callback cut inside of a UTF-8 character is put together rightly",
    `${WHOLE_BODY} Join the bytes, then decode.`,
    (callback) => {
      // The player's id may have these characters, too. The game comes after it.
      const at = Buffer.from(bodyOf(callback)).lastIndexOf(Buffer.from("ç")) + 1;
      const emoji = Buffer.from(bodyOf(callback)).lastIndexOf(Buffer.from("🎰")) + 2;
      return { connection: "own", pieces: { at: [at, emoji], pauseMs: 50 } };
    },
  ),
  sent(
    "lower-case-headers",
    "Header names in lower case are the same headers",
    "Header names have no case: look them up that way.",
    () => ({
      lowerCase: true,
    }),
  ),
  {
    id: "kept-open",
    title: "Ten callbacks one after another on one connection each get their own answer",
    rule: "contract-signature",
    fix: "Keep no state from one request to the next on the same connection.",
    async run(it) {
      let balance = await it.fund(it.player, 0n);
      const connection = { keptOpen: it.player.txId() };
      for (let i = 0; i < 5; i += 1) {
        balance += 100n;
        await it.accepts(it.player.win(100n), balance, { connection });
        await it.refuses(it.player.win(900n), { connection, signedBy: "a wrong secret" });
      }
      await it.balanceIs(it.player, balance, "five wins were paid, and nothing else");
    },
  },
  {
    id: "many-connections",
    title: "60 connections at once, each with a balance query, are all served",
    rule: "contract-eight-seconds",
    fix: "The service calls a wallet up to 64 times at once from each of its servers. Accept that many connections.",
    // The case counts connections, so no other case may hold connections at the same time.
    order: "last",
    async run(it) {
      // A wallet may answer a transaction with a 5xx while it works on another of the same player, but not a query.
      const query = it.player.query();
      // The last bytes of all callbacks arrive at the same moment, so that even a fast wallet handles them all at once.
      const exchanges = await it.atOnce(Array<Callback>(60).fill(query), () => ({
        connection: "own",
        pieces: { at: [Buffer.byteLength(bodyOf(query)) - 1], pauseMs: 100 },
      }));
      it.expectAll(exchanges, accepted(await it.balance(it.player)));
    },
  },
  {
    id: "cut-body",
    title:
      "A callback whose connection was closed in the middle of the body is not applied. When it is sent again, it is applied",
    rule: "contract-signature",
    fix: WHOLE_BODY,
    async run(it) {
      const before = await it.fund(it.player, 1_000n);
      const [bet, win] = [it.player.bet(250n), it.player.win(500n)];
      for (const callback of [bet, win]) await it.send(callback, { cut: { body: "half", afterMs: 30 } });
      await it.balanceIs(it.player, before, "half a callback changes nothing");
      await it.accepts(bet);
      await it.accepts(win);
      await it.balanceIs(it.player, before + 250n, "bet and win were applied");
    },
  },
  cutAndRepeated("bet", (player) => player.bet(100n), -100n),
  cutAndRepeated("win", (player) => player.win(100n), 100n),
  {
    id: "cut-refund",
    title: "A refund whose connection was closed while it was judged, and that comes again, is paid once",
    rule: "contract-once",
    fix: ATOMIC,
    async run(it) {
      const before = await it.fund(it.player, 2_000n);
      const bets = CUTS_MS.map(() => it.player.bet(100n));
      it.expectAll(await it.settledAtOnce(bets), accepted());
      const refunds = bets.map((bet) => it.player.refund(bet));
      await it.atOnce(refunds, cutAt);
      it.expectAll(await it.settledAtOnce(refunds), accepted());
      await it.balanceIs(it.player, before, "each bet was given back once");
    },
  },
  {
    id: "cut-and-copies",
    title: "A bet that was cut off and comes five times at once is taken once",
    rule: "contract-concurrent",
    fix: ATOMIC,
    async run(it) {
      const before = await it.fund(it.player, 1_000n);
      const bet = it.player.bet(250n);
      await it.send(bet, { cut: { body: "whole", afterMs: 0 } });
      it.expectAll(await it.settledAtOnce(Array<Callback>(5).fill(bet)), accepted());
      await it.balanceIs(it.player, before - 250n, "one bet was taken");
    },
  },
];

export const connections: Category = { id: "connections", title: "Connections", cases };
