import type { HandlerContext } from "@connectrpc/connect";
import { plainAddress } from "../../../domain/access/ip-list.ts";
import { CONNECTION } from "./call-context.ts";

/** What tells who calls: the key, and the connection that it came over. */
export type Called = Pick<HandlerContext, "requestHeader" | "values">;

/** The address that a call came from: the connection's, without its port. */
export const callerAddress = ({ values }: Called): string => plainAddress(values.get(CONNECTION).replace(/:\d+$/, ""));
