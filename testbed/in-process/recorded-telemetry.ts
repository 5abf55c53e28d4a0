import { type LogIds, type SourceAnswer, Telemetry, type WalletCall } from "../../src/ports/telemetry.ts";

/** Records all telemetry, for a test to read. */
export class RecordedTelemetry extends Telemetry {
  readonly alerts: { name: string; fields: Readonly<Record<string, unknown>> }[] = [];
  readonly errors: { what: string; cause: unknown }[] = [];
  readonly transactions: { action: string; outcome: string }[] = [];
  readonly wrongKeys: { keyKind: string; address: string | null }[] = [];
  /** The ids of each alert and error, in their order. */
  readonly ids: (LogIds | undefined)[] = [];
  readonly calls: WalletCall[] = [];
  readonly sourceAnswers: SourceAnswer[] = [];

  override alert(name: string, fields: Readonly<Record<string, unknown>>, ids?: LogIds): void {
    this.alerts.push({ name, fields });
    this.ids.push(ids);
  }

  override error(what: string, cause: unknown, ids?: LogIds): void {
    this.errors.push({ what, cause });
    this.ids.push(ids);
  }

  override transaction(action: string, outcome: string): void {
    this.transactions.push({ action, outcome });
  }

  override wrongKey(keyKind: string, address: string | null): void {
    this.wrongKeys.push({ keyKind, address });
  }

  override walletCall(call: WalletCall): void {
    this.calls.push(call);
  }

  override sourceAnswer(answer: SourceAnswer): void {
    this.sourceAnswers.push(answer);
  }
}
