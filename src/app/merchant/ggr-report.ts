import { ok, type Result, refuse } from "../../domain/errors.ts";
import {
  daysOf,
  type Ggr,
  type GgrCell,
  GgrFold,
  type GgrInPieces,
  type GgrRequest,
  type GgrRow,
  GgrRowsInOrder,
} from "../../domain/transaction/report.ts";
import { fieldFault } from "../../domain/values/field-fault.ts";
import type { Currency } from "../../domain/values/money.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
import type { GgrQuery, GgrStore } from "../../ports/transactions/ggr-store.ts";
import { refuseWhenUnavailable } from "../runtime/refuse-when-unavailable.ts";

/**
 * The maximum of rows in a report that is one message. So many rows fit into 4 MB, the default limit of gRPC clients.
 */
const ROWS_MAX = 10_000;

/** The merchants that a report is about. All have this currency. */
export interface GgrSubject {
  readonly merchantIds: GgrQuery["merchantIds"];
  readonly currency: Currency;
}

/** The GGR report: of a merchant, for the merchant and for internal teams, or of several merchants, for internal teams. */
export class GgrReport {
  readonly #store: GgrStore;
  readonly #telemetry: Telemetry;

  constructor(store: GgrStore, telemetry: Telemetry) {
    this.#store = store;
    this.#telemetry = telemetry;
  }

  /**
   * A report whose rows are read piece by piece. Refusal: SERVICE_UNAVAILABLE. A failure while the rows are read is
   * thrown.
   *
   * @param request - the result of readGgrRequest.
   */
  make({ merchantIds, currency }: GgrSubject, request: GgrRequest): Promise<Result<GgrInPieces>> {
    const { groupBy, timeZone, provider, type } = request;
    const { names, bounds } = daysOf(request);
    const byDay = groupBy === "day";
    const whole = [bounds[0] ?? 0, bounds.at(-1) ?? 0];
    return refuseWhenUnavailable(this.#telemetry, "a GGR report", async () => {
      const { asOf, cells } = await this.#store.read({
        merchantIds,
        bounds: byDay ? bounds : whole,
        groupBy,
        provider,
        type,
      });
      const about = { currency, timeZone, groupBy, asOf };
      if (groupBy === "player") {
        const inOrder = new GgrRowsInOrder();
        return ok({ ...about, rows: rowsOf(cells, inOrder), totals: inOrder.totals });
      }
      const fold = new GgrFold(byDay ? names : null);
      for await (const slice of cells) for (const cell of slice) fold.add(cell);
      const { rows, totals } = fold.end();
      return ok({ ...about, rows: singlePage(rows), totals });
    });
  }

  /**
   * Like {@link make}, but with all rows in memory. Also refuses with VALIDATION_ERROR (`group_by`) if there are more
   * than 10 000 rows.
   */
  async makeWhole(subject: GgrSubject, request: GgrRequest): Promise<Result<Ggr>> {
    const made = await this.make(subject, request);
    if (!made.ok) return made;
    return refuseWhenUnavailable(this.#telemetry, "a GGR report", async () => {
      const rows: GgrRow[] = [];
      for await (const some of made.value.rows) {
        for (const row of some) rows.push(row);
        if (rows.length > ROWS_MAX) return refuse("VALIDATION_ERROR", { details: [fieldFault("group_by", TOO_MANY)] });
      }
      return ok({ ...made.value, rows });
    });
  }
}

const TOO_MANY = `a report of at most ${ROWS_MAX} rows: ask for fewer days, a provider or a type, or for all of it with GET /v1/reports/ggr`;

async function* rowsOf(
  cells: AsyncIterable<readonly GgrCell[]>,
  inOrder: GgrRowsInOrder,
): AsyncGenerator<readonly GgrRow[]> {
  for await (const some of cells) yield inOrder.add(some);
  yield inOrder.end();
}

async function* singlePage(rows: readonly GgrRow[]): AsyncGenerator<readonly GgrRow[]> {
  yield rows;
}
