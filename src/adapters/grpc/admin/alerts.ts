import type { ShowAlerts } from "../../../app/console/alerts/show-alerts.ts";
import type { ConsoleService } from "../../../gen/aggregator/admin/v1/console_service_pb.ts";
import { fromTimestamp, toTimestamp } from "../messages/timestamp.ts";
import { unwrap } from "../server/refusal-error.ts";
import type { AdminHandlers } from "./service.ts";

/** The rpcs of ConsoleService about open alerts. */
export function alertHandlers(
  alerts: ShowAlerts,
): Pick<AdminHandlers<typeof ConsoleService>, "listAlerts" | "acknowledgeAlert"> {
  return {
    async listAlerts({ limit }, { role }) {
      const { asOf, alerts: open, total } = unwrap(await alerts.list(role, limit));
      return {
        alerts: open.map(({ name, firstAt, lastAt, count, ...more }) => ({
          ...more,
          alert: name,
          firstAt: toTimestamp(firstAt),
          lastAt: toTimestamp(lastAt),
          count: BigInt(count),
        })),
        total,
        asOf: toTimestamp(asOf),
      };
    },
    async acknowledgeAlert({ reason, lastAt, ...key }, caller) {
      unwrap(await alerts.acknowledge({ ...caller, reason }, { ...key, lastAt: fromTimestamp("last_at", lastAt) }));
      return {};
    },
  };
}
