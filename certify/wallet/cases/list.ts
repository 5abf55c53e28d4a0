/** All categories, in the order of the report. */
import type { Category } from "../case.ts";
import { actions } from "./actions.ts";
import { blocked } from "./blocked.ts";
import { concurrency } from "./concurrency.ts";
import { connections } from "./connections.ts";
import { format } from "./format.ts";
import { identifiers } from "./identifiers.ts";
import { merchants } from "./merchants.ts";
import { order } from "./order.ts";
import { precision } from "./precision.ts";
import { rejections } from "./rejections.ts";
import { repeats } from "./repeats.ts";
import { reversals } from "./reversals.ts";
import { signature } from "./signature.ts";

export const CATEGORIES: readonly Category[] = [
  ...[signature, format, actions, precision, repeats, concurrency, rejections, reversals],
  ...[order, blocked, merchants, identifiers, connections],
];
