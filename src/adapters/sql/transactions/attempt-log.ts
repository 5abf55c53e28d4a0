import type { LoggedAttempt } from "../../../ports/transactions/transaction-reader.ts";
import type { Attempt } from "../../../ports/transactions/transaction-store.ts";

/** The maximum of logged attempts of a transaction. Later attempts are only counted. */
export const LOGGED_MAX = 2_000;

/** One line of the column `attempt_log`. null: the attempt comes after the last logged attempt. */
export const logLine = (attempt: Attempt): string | null =>
  attempt.n > LOGGED_MAX
    ? null
    : JSON.stringify({
        n: attempt.n,
        at: attempt.at,
        duration_ms: attempt.durationMs,
        http_status: attempt.httpStatus,
        result: attempt.result,
        request_id: attempt.requestId,
        // JSON leaves undefined fields out, so the line of an accepted call does not become longer.
        reply_start: attempt.replyStart,
        error: attempt.error,
      });

/**
 * The end of the log line, after `n` and `at`, if the attempt's process died. The attempt began, and its end is
 * unknown.
 */
export const DIED = ',"duration_ms":null,"http_status":null,"result":null,"request_id":null}';

/**
 * The attempts in the column `attempt_log`. An empty text has no attempts: MySQL returns it when it joins NULL to NULL.
 *
 * @param lastError - the code of the row's rejection. It is that of the last attempt, if this one was rejected.
 */
export function readLog(text: string | null, lastError: string | null = null): LoggedAttempt[] {
  const lines = (text ?? "").split("\n").filter((line) => line !== "");
  return lines.map((line, i) => {
    const { n, at, duration_ms, http_status, result, request_id, reply_start, error } = JSON.parse(line);
    const code = error ?? (result === "rejected" && i === lines.length - 1 ? lastError : null);
    return {
      n,
      at,
      durationMs: duration_ms,
      httpStatus: http_status,
      result,
      requestId: request_id,
      ...(reply_start !== undefined && { replyStart: reply_start }),
      ...(code !== null && { error: code }),
    };
  });
}
