import type { Callback } from "../calls/callback.ts";
import { isGenuine } from "../calls/delivery.ts";
import { MORE_DECIMALS } from "../calls/reply.ts";
import type { Exchange } from "../calls/wallet.ts";
import type { Case, Category } from "../case.ts";
import { differs, inWords, TOO_PRECISE, type Trial } from "../trial.ts";

const FORM =
  'Answer with a JSON object: {"ok":true,"balance":97.5} with the balance as a number, or {"ok":false,"error":"INSUFFICIENT_FUNDS"}.';

function wellFormed(exchange: Exchange): void {
  const [fault] = exchange.reply.faults;
  if (fault !== undefined)
    throw differs(
      "a reply that the service can read",
      exchange,
      `${inWords(exchange)}. ${fault}`,
      fault.includes(MORE_DECIMALS) ? TOO_PRECISE : undefined,
    );
}

/** The reply to a correct callback has the correct form. */
const reply = (id: string, what: string, callback: (it: Trial) => Promise<Callback>): Case => ({
  id: `${id}-reply`,
  title: `The reply to ${what} is a JSON object with a boolean \`ok\` and a numeric balance`,
  rule: "wallet-reply",
  fix: FORM,
  async run(it) {
    await it.fund(it.player, 1_000n);
    const exchange = await it.answers(await callback(it));
    wellFormed(exchange);
  },
});

async function sent(it: Trial, callback: Callback): Promise<Callback> {
  await it.answers(callback);
  return callback;
}

const cases: readonly Case[] = [
  reply("balance", "a balance query", async ({ player }) => player.query()),
  reply("bet", "a bet", async ({ player }) => player.bet(250n)),
  reply("win", "a win", async ({ player }) => player.win(250n)),
  reply("refund", "a refund", async (it) => it.player.refund(await sent(it, it.player.bet(250n)))),
  reply("rollback", "a rollback", async (it) => it.player.rollback(await sent(it, it.player.win(250n)))),
  reply("repeat", "a repeat", async (it) => sent(it, it.player.bet(250n))),
  {
    id: "rejection-reply",
    title: "A rejection is a JSON object with the boolean `ok` false, and its HTTP status is below 500",
    rule: "wallet-status",
    fix: 'Answer a bet without funds with {"ok":false,"error":"INSUFFICIENT_FUNDS"}. A 5xx says that you do not know, and the service asks again.',
    async run(it) {
      const balance = await it.fund(it.player, 0n);
      const exchange = await it.rejects(it.player.bet(balance + 1n));
      wellFormed(exchange);
    },
  },
  {
    id: "zero-balance",
    title: "A balance of exactly 0 is sent as a number",
    rule: "wallet-reply",
    fix: "Send `balance` when it is 0, too. Serialisers that omit empty values, and `balance || null`, lose it.",
    async run(it) {
      await it.setBalance(it.player, 500n);
      wellFormed(await it.accepts(it.player.bet(500n)));
      wellFormed(await it.accepts(it.player.query()));
      await it.balanceIs(it.player, 0n, "the whole balance was bet");
    },
  },
  {
    id: "every-reply",
    order: "last",
    title: "Every reply of this pass had the correct form",
    rule: "wallet-reply",
    fix: FORM,
    async run(it) {
      for (const exchange of it.earlier) if (isGenuine(exchange.delivery)) wellFormed(exchange);
    },
  },
  {
    id: "in-time",
    order: "last",
    title: "Every genuine callback of this pass was answered within 8 s",
    rule: "contract-eight-seconds",
    fix: "Answer within 8 s, also when many callbacks come at once.",
    async run(it) {
      for (const exchange of it.earlier) {
        if (isGenuine(exchange.delivery) && exchange.reply.status === null)
          throw differs("a complete reply within 8 s", exchange);
      }
    },
  },
];

export const format: Category = { id: "format", title: "Form of the replies", cases };
