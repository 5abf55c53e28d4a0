/*
 * InnoDB changes a row at its place only if the row does not become longer. A longer row goes to the free end of its
 * page, and when the page has no free end, InnoDB copies the whole page. Such copies were half of a bet's redo log. So
 * a row gets room when it is written first: empty lines at the beginning of `attempt_log`, which no reader counts as
 * attempts. Each change that makes the row longer removes as many of them.
 */

/** In a claim, the room for what its settle adds: the line of one attempt, its result, a balance and a short error. */
export const ROOM_FOR_SETTLE = "REPEAT('\\n', 168)";
/** In a settle, the room for the change number. */
export const ROOM_FOR_NUMBER = "REPEAT('\\n', 8)";
/** The log without its room. */
export const LOG_ONLY = "TRIM(LEADING '\\n' FROM attempt_log)";
