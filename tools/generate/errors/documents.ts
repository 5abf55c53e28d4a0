import { ERROR_ROWS, type ErrorCode } from "../../../contract/errors/errors.ts";
import type { ErrorRow, GrpcCode } from "../../../contract/errors/row.ts";
import type { Row, Table } from "../table.ts";

const CALLERS = ["merchants", "providers", "sportsbook", "administration"] as const;
/** The gRPC statuses in the order of the protos' tables. */
const STATUSES: readonly GrpcCode[] = [
  "INVALID_ARGUMENT",
  "UNAUTHENTICATED",
  "PERMISSION_DENIED",
  "NOT_FOUND",
  "ALREADY_EXISTS",
  "FAILED_PRECONDITION",
  "RESOURCE_EXHAUSTED",
  "UNAVAILABLE",
  "INTERNAL",
];

/** The tables of error codes in the documents, and in the comments of the protos. */
export const errorTables = (): readonly Table[] => [
  { path: "docs/specification/errors.md", rows: specification() },
  reasons("provider/v1/wallet_service", ({ providers }) => providers && (providers.remark ?? "")),
  reasons("sportsbook/v1/bet_service", ({ sportsbook }) => sportsbook?.bets),
  reasons("sportsbook/v1/session_service", ({ sportsbook }) => sportsbook?.sessions),
  reasons("sportsbook/v1/brand_service", ({ sportsbook }) => sportsbook?.brands),
  reasons("admin/v1/brand_admin_service", ({ administration }) => administration && (administration.remark ?? "")),
];

const anchor = (code: ErrorCode): string => `err-${code.toLowerCase().replaceAll("_", "-")}`;

const specification = (): Row[] => [
  ["code", "HTTP", "gRPC", "retry", "met by", "meaning"],
  ...ERROR_ROWS.map(([code, row]) => [
    code,
    String(row.http),
    row.grpc,
    row.retry,
    CALLERS.filter((caller) => row[caller] !== undefined).join(", "),
    `<a id="${anchor(code)}"></a>${row.meaning}`,
  ]),
];

/** The table of a service's proto: for each gRPC status the codes that the service returns with it. */
function reasons(service: string, remarkOf: (row: ErrorRow) => string | undefined): Table {
  const rows = STATUSES.flatMap((status) => {
    const codes = ERROR_ROWS.flatMap(([code, row]) => {
      const remark = row.grpc === status ? remarkOf(row) : undefined;
      return remark === undefined ? [] : [remark === "" ? code : `${code} (${remark})`];
    });
    return codes.length === 0 ? [] : [[status, codes.join(", ")]];
  });
  return { path: `proto/aggregator/${service}.proto`, rows: [["status", "reasons"], ...rows] };
}
