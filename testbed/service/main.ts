/**
 * The main file of `npm run serve`, with variables that only tests set: GAS_FAILPOINTS, LEASE_MARGIN_MS and
 * RESEND_FIRST_DELAY_MS. The service itself reads none of them.
 */
import type { Container } from "inversify";
import { DATABASE, POLICY } from "../../src/container/tokens.ts";
import { serve } from "../../src/serve.ts";
import { readFailpoints } from "../failpoints/failpoint.ts";
import { installFailpoints } from "../failpoints/install.ts";

/** Throws if a variable has no whole number of milliseconds. undefined: it is not set. */
function milliseconds(name: string): number | undefined {
  const text = process.env[name] ?? "";
  if (!/^\d{0,5}$/.test(text)) throw new Error(`${name} must be a whole number of milliseconds, for example 700`);
  return text === "" ? undefined : Number(text);
}

const times = {
  leaseMarginMs: milliseconds("LEASE_MARGIN_MS"),
  firstDelayMs: milliseconds("RESEND_FIRST_DELAY_MS"),
};
const failpoints = readFailpoints(process.env.GAS_FAILPOINTS ?? "");

await serve((container: Container) => {
  const policy = { ...container.get(POLICY), ...times };
  container.rebind(POLICY).toConstantValue(policy);
  if (failpoints.length > 0) installFailpoints(container, failpoints, DATABASE);
});
