/** Every connector by the name of its command. */
import { evolution } from "./evolution/connector.ts";
import type { Connector } from "./frame/process.ts";
import { caleta, hub88 } from "./hub88/connector.ts";
import { pgsoft } from "./pgsoft/connector.ts";
import { pragmatic } from "./pragmatic/connector.ts";
import { redtiger } from "./redtiger/connector.ts";
import { slotegrator } from "./slotegrator/connector.ts";
import { softswiss } from "./softswiss/connector.ts";
import { spribe } from "./spribe/connector.ts";

export const connectors: Readonly<Record<string, Connector>> = {
  hub88,
  caleta,
  evolution,
  pragmatic,
  slotegrator,
  redtiger,
  pgsoft,
  softswiss,
  spribe,
};
