/** What people see of a connector: its log and its metrics. Neither has tokens, session ids or bodies. */
import { type Logger, pino } from "pino";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Outcome } from "./verdict.ts";

export type Alert =
  | "amount_cut"
  | "promo_money"
  | "reversal_rejected"
  | "own_reversal"
  | "own_reversal_stuck"
  | "key_refused";

export class Watch {
  readonly log: Logger;
  readonly registry = new Registry();
  readonly #calls = new Counter({
    name: "connector_calls_total",
    help: "Calls at the aggregator, by rpc and verdict",
    labelNames: ["call", "verdict"],
    registers: [this.registry],
  });
  readonly #requests = new Histogram({
    name: "connector_request_seconds",
    help: "Time from a provider's request to its answer, by route and answered status",
    labelNames: ["route", "status"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });
  readonly #alerts = new Counter({
    name: "connector_alerts_total",
    help: "Events that people must look at, by kind",
    labelNames: ["alert"],
    registers: [this.registry],
  });
  readonly #tasks = new Gauge({
    name: "connector_tasks",
    help: "Bets that the connector reverses unless they become clear (armed), and reversals that a wallet rejected (debt)",
    labelNames: ["state"],
    registers: [this.registry],
  });

  readonly #spans = new Counter({
    name: "connector_trace_spans_total",
    help: "Spans that have left this process: exported, dropped (too many waited) or failed (not taken by the receiver)",
    labelNames: ["end"],
    registers: [this.registry],
  });

  constructor(api: string, level: string) {
    this.log = pino({ level, base: { connector: api } });
    collectDefaultMetrics({ register: this.registry });
  }

  called(call: string, { verdict, code }: Outcome): void {
    this.#calls.inc({ call, verdict });
    if (code === "INVALID_API_KEY") this.alert("key_refused", {});
  }

  answered(route: string, status: string, seconds: number): void {
    this.#requests.observe({ route, status }, seconds);
  }

  alert(alert: Alert, about: Readonly<Record<string, string>>): void {
    this.#alerts.inc({ alert });
    this.log.warn({ alert, ...about }, "somebody must look at this");
  }

  spans(number: number, end: string): void {
    this.#spans.inc({ end }, number);
  }

  tasks(state: "armed" | "debt", number: number): void {
    this.#tasks.set({ state }, number);
  }
}
