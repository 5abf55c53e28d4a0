import { KEYS, SESSIONS, startInProcess } from "../in-process.ts";
import { asKind, type Rig } from "../kind.ts";
import { StoredFaults } from "../stored-faults.ts";
import { grpcCalls } from "./service/grpc.ts";
import { restRequests } from "./service/rest.ts";

const AT_SPORTSBOOK = {
  session_id: [...SESSIONS.SPORTSBOOK, ...SESSIONS.ACME],
  player_ref: SESSIONS.SPORTSBOOK.map((id) => `${id.slice(0, 31)}S`),
};

/** The kinds of whole requests to the whole service, without its sockets. */
export async function serviceKinds(): Promise<Rig> {
  const service = await startInProcess();
  const stored = new StoredFaults(service.database);
  const audit = () => stored.find();
  return {
    kinds: [
      asKind(
        grpcCalls(service, {
          name: "provider-calls",
          of: "aggregator.provider.v1",
          key: KEYS.ACME,
          perMillion: 3_000,
          audit,
        }),
      ),
      asKind(
        grpcCalls(service, {
          name: "sportsbook-calls",
          of: "aggregator.sportsbook.v1",
          key: KEYS.SPORTSBOOK,
          likely: AT_SPORTSBOOK,
          perMillion: 1_500,
          audit,
        }),
      ),
      // This kind runs after the calls of providers, so that there are transactions to list.
      asKind({ ...restRequests(service), audit }),
      asKind(
        grpcCalls(service, {
          name: "operator-calls",
          of: "aggregator.operator.v1",
          key: KEYS.ADMIN,
          perMillion: 500,
          audit,
        }),
      ),
      asKind(
        grpcCalls(service, { name: "admin-calls", of: "aggregator.admin.v1", key: KEYS.ADMIN, perMillion: 500, audit }),
      ),
    ],
    close: () => service.close(),
  };
}
