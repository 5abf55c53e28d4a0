/**
 * Lets wallets have public addresses only. The check is made on the address that is connected to, so that a rebinding
 * name cannot bypass it.
 */
import type { LookupFunction } from "node:net";
import { mayBeCalled } from "../../domain/access/public-address.ts";
import type { Resolve } from "./host-addresses.ts";

/** The wallet's name has an address that a wallet may not have. Nothing was sent. */
export class AddressRefused extends Error {
  override readonly name = "AddressRefused";
}

/**
 * The look-up for a socket. It resolves the name once and gives connect() exactly the addresses that it has checked. If
 * one address is not allowed, the whole name is refused.
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
