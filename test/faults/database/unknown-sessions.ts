import { randomBytes } from "node:crypto";
import type { Stage } from "./stage.ts";

/** The number of concurrent bets: more than the connections of both replicas. */
const AT_ONCE = 64;

/**
 * Sends bets in unknown sessions until the fault is over. Each read of a session uses its own connection. Resolves when
 * the last bets are answered.
 */
export async function betInUnknownSessions({ installation, replicas }: Stage, isOver: () => boolean): Promise<void> {
  const { players, provider } = installation;
  const bet = async (n: number): Promise<void> => {
    for (let tries = 1; !isOver(); tries++) {
      const player = players[n % players.length] as (typeof players)[number];
      const content = installation.content(player, "bet", `u${n}-${tries}-${randomBytes(4).toString("hex")}`);
      await provider.request(
        content,
        randomBytes(16).toString("hex"),
        replicas[n % replicas.length] as (typeof replicas)[number],
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => bet(n)));
}
