/** Which addresses a wallet may have: the public internet's. Judged on the address that is connected to, so a name that rebinds gains nothing. */
import type { LookupFunction } from "node:net";
import { mayBeCalled } from "../../domain/access/public-address.ts";
import type { Resolve } from "./host-addresses.ts";

/** A name leads to an address that a wallet may not have; nothing was sent. */
export class AddressRefused extends Error {
  override readonly name = "AddressRefused";
}

/**
 * The look-up of a socket: resolves once and hands the very addresses it has judged to connect(). One address that may not be
 * called refuses the name as a whole.
 */
export function guardedLookup(resolve: Resolve, allowPrivate: boolean): LookupFunction {
  return (host, _options, done) => {
    resolve(host).then(
      (addresses) => {
        const refused = addresses.find(({ address }) => !mayBeCalled(address, allowPrivate));
        if (refused === undefined) done(null, [...addresses]);
        else done(new AddressRefused(`${host} leads to ${refused.address}, which is no public address`), []);
      },
      (error: NodeJS.ErrnoException) => done(error, []),
    );
  };
}
