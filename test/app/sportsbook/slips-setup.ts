import type { ExecutionContext } from "ava";
import { startScriptedWallet } from "../../../testbed/callers/scripted-wallet.ts";
import { startSlips } from "../../../testbed/in-process/slips.ts";

type Options = Parameters<typeof startSlips>[0];

/** Slips with the reference wallet, until the test ends. */
export async function start(t: ExecutionContext, options: Options = {}) {
  const world = await startSlips(options);
  t.teardown(() => world.close());
  return world;
}

/** Like {@link start}, but with a wallet whose answers the test sets. */
export async function startScripted(t: ExecutionContext, options: Options = {}) {
  const wallet = await startScriptedWallet("SPORTSBOOK");
  t.teardown(() => wallet.close());
  const world = await start(t, { ...options, walletUrl: wallet.url });
  return {
    ...world,
    wallet,
    /** The sportsbook's ids in the order of the wallet calls, separated by spaces. */
    calledIds: () => wallet.callbacks.map(({ txId }) => txId.replace("SPORTSBOOK:", "")).join(" "),
  };
}
