// A complete provider program: it opens every game. Each opened game plays one round by itself, and the program prints
// the round. Environment: ADDRESS (http://127.0.0.1:9090), API_KEY, PORT of its game server.
import { randomUUID } from "node:crypto";
import { Aggregator, gameServer, refusalOf, TransactionStatus } from "game-aggregator-provider";

const { ADDRESS, API_KEY, PORT = "7002" } = process.env;
const aggregator = new Aggregator({ address: ADDRESS, apiKey: API_KEY });

async function play({ sessionId, gameCode, currency }) {
  const id = randomUUID();
  const round = { sessionId, roundId: `r-${id}`, currency };
  const bet = { ...round, txId: `b-${id}`, amountMinor: 250n };
  const refund = { ...bet, txId: `f-${id}`, refTxId: bet.txId };
  const { balanceMinor } = await aggregator.wallet.getBalance({ sessionId });
  const outcome = await aggregator.takeBet(bet, refund);
  if (!outcome.start) return { game: gameCode, rejected: outcome.error };
  const win = { ...round, txId: `w-${id}`, amountMinor: 1_000n };
  const paid = await aggregator.until((wallet) => wallet.payWin(win));
  return {
    game: gameCode,
    before: String(balanceMinor),
    bet: outcome.reply.txId,
    isWinPaid: paid.status === TransactionStatus.SUCCESS,
    after: String(paid.balanceMinor),
  };
}

const server = gameServer((request) => {
  // OpenGame is answered first. The calls to the wallet begin after the reply.
  setTimeout(async () => {
    const told = await play(request).catch((cause) => ({ refused: refusalOf(cause).code || String(cause) }));
    console.log(JSON.stringify(told));
  });
  return `https://games.example/${request.gameCode}?lang=${request.language}`;
});
server.listen(Number(PORT), "127.0.0.1", () => console.log(`listening on http://127.0.0.1:${PORT}`));
process.once("SIGTERM", () => process.exit(0));
