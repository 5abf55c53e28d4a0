/** The world of real processes with a sportsbook: its key, its players, and its calls over gRPC. */
import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { ExecutionContext } from "ava";
import { BetService } from "../../src/gen/aggregator/sportsbook/v1/bet_service_pb.ts";
import { SessionService } from "../../src/gen/aggregator/sportsbook/v1/session_service_pb.ts";
import { TransactionStatus } from "../../src/gen/aggregator/sportsbook/v1/transaction_status_pb.ts";
import { repeated } from "../callers/busy.ts";
import { addSportsbook } from "../directory/sportsbook.ts";
import type { Replica } from "../service/replica.ts";
import { startWorldOfProcesses, type WorldOptions } from "./world.ts";

export const SPORTSBOOK_URL = "https://sportsbook.example/at";
export const OPENING_MINOR = 10_000n;
const STATUS: Readonly<Record<number, string>> = {
  [TransactionStatus.SUCCESS]: "success",
  [TransactionStatus.PENDING]: "pending",
};
const statusText = (status: TransactionStatus): string => STATUS[status] ?? "failed";

export async function startSportsbookWorld(t: ExecutionContext, options: WorldOptions = {}) {
  const env = { SPORTSBOOK_URL, ...options.env };
  const world = await startWorldOfProcesses(t, { ...options, env });
  const { settings, wallet, first } = world;
  const key = await addSportsbook(settings);

  /** The reply, or the refusal's code. */
  async function ask<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    on: Replica = first,
    timeoutMs = 25_000,
  ): Promise<MessageShape<O> | string> {
    const failed = (error: { metadata?: { get(name: string): unknown[] }; message: string }) =>
      String(error.metadata?.get("error-code")[0] ?? error.message);
    const call = () =>
      world
        .callerOf(on)
        .call(method, request, { keys: [key], deadline: Date.now() + timeoutMs })
        .catch(failed);
    return repeated<MessageShape<O> | string>(call, (answer) => (typeof answer === "string" ? answer : undefined));
  }

  /** The sportsbook's launch_url. Waits until the service knows that the product is enabled. */
  async function launch(player = "ana", more: object = {}, code = "shop-brl"): Promise<URL> {
    for (;;) {
      const reply = await world.rest(
        "POST",
        "/v1/game/launch",
        { player_id: player, game: "sportsbook", ...more },
        code,
      );
      if (reply.ok) return new URL(String((reply.data as { launch_url: string }).launch_url));
      if (reply.code !== "PRODUCT_NOT_ENABLED") throw new Error(`launch failed: ${reply.code}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  return {
    ...world,
    key,
    ask,
    launch,
    /** A player with money and a session. */
    async session(player = "ana", code = "shop-brl"): Promise<string> {
      wallet.ledger.addPlayer(code, player, OPENING_MINOR);
      const token = (await launch(player, {}, code)).searchParams.get("jwt") ?? "";
      const session = await ask(SessionService.method.exchangeToken, { token });
      if (typeof session === "string") throw new Error(session);
      return session.sessionId;
    },
    /**
     * Places a slip. Returns its final status and its bets as a short text: `success: b1 success, b2 success`, `failed:
     * b1 success/success, b2 failed X`, or the refusal's code. `b1:250` is bet b1 of 250 minor units.
     */
    async slip(
      sessionId: string,
      slipId: string,
      bets: string,
      on: Replica = first,
      timeoutMs?: number,
    ): Promise<string> {
      const slipBets = bets.split(" ").map((text) => {
        const [txId = "", amount = ""] = text.split(":");
        return { txId, roundId: `r-${txId}`, amountMinor: BigInt(amount) };
      });
      const reply = await ask(BetService.method.placeBetslip, { sessionId, slipId, bets: slipBets }, on, timeoutMs);
      if (typeof reply === "string") return reply;
      const each = reply.bets.map((bet) => {
        const refund = bet.refundTxId === "" ? "" : `/${statusText(bet.refundStatus)}`;
        return `${bet.txId} ${statusText(bet.status)}${refund} ${bet.error}`.trim();
      });
      return `${statusText(reply.status)}: ${each.join(", ")}`;
    },
    /** Returns `success`, `pending`, `failed:CODE` or the refusal's code. Names the player by session or reference. */
    async move(
      action: "win" | "refund",
      request: MessageInitShape<typeof BetService.method.refundBet.input>,
      on: Replica = first,
    ): Promise<string> {
      const { refTxId, ...win } = { currency: "BRL", ...request };
      const reply = await (action === "win"
        ? ask(BetService.method.payWin, win as MessageInitShape<typeof BetService.method.payWin.input>, on)
        : ask(
            BetService.method.refundBet,
            { ...win, refTxId } as MessageInitShape<typeof BetService.method.refundBet.input>,
            on,
          ));
      if (typeof reply === "string") return reply;
      return reply.error === "" ? statusText(reply.status) : `${statusText(reply.status)}:${reply.error}`;
    },
    balanceOf: (player: string, code = "shop-brl") => wallet.ledger.balanceMinor(code, player),
    /** The number of wallet calls for the sportsbook's transaction. */
    callCount: (own: string) =>
      world.callbacks.filter(({ body }) => JSON.parse(body).tx_id === `SPORTSBOOK:${own}`).length,
  };
}

/** Resolves when the condition holds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10));
}
