/**
 * Allows only public addresses for wallets. The check is made on the address to which the socket connects. So a name
 * that later resolves to another address (DNS rebinding) cannot bypass the check.
 */
import type { LookupFunction } from "node:net";
import { mayBeCalled } from "../../domain/access/public-address.ts";
import type { Resolve } from "../names/host-addresses.ts";

/** The name of the wallet's host has an address that a wallet may not have. Nothing was sent. */
export class AddressRefused extends Error {
  override readonly name = "AddressRefused";
}

/**
 * The look-up for a connection. It resolves the name once, and returns exactly the checked addresses. If one
 * address of a name is not allowed, the name is refused.
 */
export function guardedLookup(resolve: Resolve, allowPrivate: boolean): LookupFunction {
  return (host, _options, done) => {
    resolve(host).then(
      (addresses) => {
        const refused = addresses.find(({ address }) => !mayBeCalled(address, allowPrivate));
        if (refused === undefined) done(null, [...addresses]);
        else done(new AddressRefused(`${host} leads to ${refused.address}, which is not a public address`), []);
      },
      (error: NodeJS.ErrnoException) => done(error, []),
    );
  };
}
