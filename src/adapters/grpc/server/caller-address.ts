import type { HandlerContext } from "@connectrpc/connect";
import { plainAddress } from "../../../domain/access/ip-list.ts";
import { CONNECTION } from "./call-context.ts";

/** The parts of a call that identify its caller: the headers with the key, and the connection. */
export type CallIdentity = Pick<HandlerContext, "requestHeader" | "values">;

/** The address of the caller, without its port. */
export const callerAddress = ({ values }: CallIdentity): string =>
  plainAddress(values.get(CONNECTION).replace(/:\d+$/, ""));
