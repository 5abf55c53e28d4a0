/** What a call says of its caller: the key, the address, and how long the caller waits. */
import type { HandlerContext } from "@connectrpc/connect";
import { plainAddress } from "../../../domain/access/ip-list.ts";
import type { Clock } from "../../../ports/clock.ts";
import { CONNECTION } from "./call-context.ts";

/** The deadline of a call that sets none. */
const DEFAULT_DEADLINE_MS = 30_000;
/** The longest deadline. A longer deadline is shortened to this, because no caller that still runs waits longer. */
const DEADLINE_MAX_MS = 60_000;

/** The parts of a call that identify its caller: the headers with the key, and the connection. */
export type CallIdentity = Pick<HandlerContext, "requestHeader" | "values">;

/**
 * The key of `authorization: Bearer <key>`, with any case of the scheme and one or more spaces (RFC 9110, 11.1 and
 * 11.4). `undefined`: there is no such header, there are several such headers, or the text cannot be a key.
 *
 * @param authorization - the header's text; null: there is no such header.
 */
export const bearerKey = (authorization: string | null): string | undefined =>
  /^Bearer +([\x21-\x7e]{1,256})$/i.exec(authorization ?? "")?.[1];

/** The address of the caller, without its port. */
export const callerAddress = ({ values }: CallIdentity): string =>
  plainAddress(values.get(CONNECTION).replace(/:\d+$/, ""));

/** The time at which the caller stops waiting, in ms of Clock.monotonic(). */
export const callDeadline = (context: HandlerContext, clock: Clock): number =>
  clock.monotonic() + Math.min(context.timeoutMs() ?? DEFAULT_DEADLINE_MS, DEADLINE_MAX_MS);
