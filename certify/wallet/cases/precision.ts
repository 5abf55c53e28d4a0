import { amountMax, decimal } from "../calls/money.ts";
import { MORE_DECIMALS } from "../calls/reply.ts";
import type { Exchange } from "../calls/wallet.ts";
import type { Case, Category } from "../case.ts";
import { differs, inWords, TOO_PRECISE, type Trial } from "../trial.ts";

const COUNT =
  "Keep money as whole minor units (cents; pesos of CLP) or as an exact decimal. Convert the amount by its decimal text, or round(amount * 100).";

/** Checks that the balance is written with the currency's decimals. */
function exact(exchange: Exchange): void {
  const fault = exchange.reply.faults.find((text) => text.includes(MORE_DECIMALS));
  if (fault !== undefined)
    throw differs("a balance in whole minor units", exchange, `${inWords(exchange)}. ${fault}`, TOO_PRECISE);
}

/** Wins these amounts one by one, then bets each of them. Every balance in between must be exact. */
async function winAndBetBack(it: Trial, amounts: readonly bigint[]): Promise<void> {
  const before = await it.fund(it.player, 0n);
  let balance = before;
  for (const amount of amounts) {
    balance += amount;
    exact(await it.accepts(it.player.win(amount), balance));
  }
  await it.balanceIs(it.player, balance, "all wins were paid in full");
  for (const amount of amounts) exact(await it.accepts(it.player.bet(amount)));
  await it.balanceIs(it.player, before, "all bets were taken in full");
}

const amounts = (id: string, title: string, list: readonly bigint[], needs?: Case["needs"]): Case => ({
  id,
  title,
  rule: "contract-minor-units",
  fix: COUNT,
  ...(needs !== undefined && { needs }),
  run: (it) => winAndBetBack(it, list),
});

const cases: readonly Case[] = [
  amounts("one-cent", "0.01 is paid and taken", [1n], { decimals: 2 }),
  amounts("tenths", "0.1 and 0.2 make 0.3, not 0.30000000000000004", [10n, 20n, 10n, 10n, 70n], { decimals: 2 }),
  amounts(
    "awkward",
    "0.07, 0.29, 0.57, 1.15, 4.35, 8.2 and 1.005-like amounts are not off by a cent",
    [7n, 29n, 57n, 115n, 435n, 820n, 100_5n, 1_999n],
    {
      decimals: 2,
    },
  ),
  amounts("half", "2.5 is 250 cents", [250n, 50n], { decimals: 2 }),
  amounts("whole", "A whole amount without a decimal point is taken as it is", [100n, 700n], { decimals: 2 }),
  amounts("pesos", "1500 pesos are 1500, not 15 or 150000", [1_500n, 1n, 999n], { decimals: 0 }),
  amounts("large", "Large amounts keep their last digit", [999_999_999n, 1n, 123_456_789n]),
  amounts("32-bit", "Amounts beyond 32 bits of minor units keep their last digit", [2_147_483_648n, 4_294_967_297n]),
  {
    id: "maximum",
    title: "The largest amount of a callback is paid and rolled back",
    rule: "basic-amount-range",
    level: "should",
    fix: "Keep balances in 64 bits or more: an amount may be 9,999,999,999.99.",
    async run(it) {
      const before = await it.fund(it.player, 0n);
      const most = amountMax(it.player.account.currency);
      const win = it.player.win(most);
      await it.accepts(win);
      await it.balanceIs(it.player, before + most, `a win of ${decimal(most, it.player.account.currency)} was paid`);
      await it.accepts(it.player.rollback(win));
      await it.balanceIs(it.player, before, "it was rolled back");
    },
  },
  {
    id: "many",
    title: "Ten wins of 0.1 are 1, exactly",
    rule: "wallet-balance",
    needs: { decimals: 2 },
    fix: COUNT,
    async run(it) {
      const before = await it.fund(it.player, 0n);
      for (let i = 0; i < 10; i += 1) exact(await it.accepts(it.player.win(10n)));
      await it.balanceIs(it.player, before + 100n, "10 wins of 0.1");
    },
  },
];

export const precision: Category = { id: "precision", title: "Amounts and precision", cases };
