import { abandoned } from "../abandoned.ts";
import { SERVICE } from "./stage.ts";
import type { Fault } from "./strike.ts";

/** See the times of an installation. */
const LEASE_MS = 1_300;

/** Processes that are lost inside a transaction, on a connection that does not lead through the stage's proxy. */
export const abandonedFaults = (): readonly Fault[] =>
  abandoned(LEASE_MS).map(({ kind, of, begin }) => {
    const fault = begin();
    return {
      kind: `${kind} ${of}`,
      lasts: fault.lastsMs,
      strike: async ({ installation, rootUrl, deaths }) =>
        void deaths.push(...(await fault.strike(installation, rootUrl.replace("//root@", `//${SERVICE}@`)))),
      heal: ({ installation }) => fault.heal(installation),
      wrong: ({ installation }) => fault.wrong(installation),
    };
  });
