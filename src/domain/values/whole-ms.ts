declare const brand: unique symbol;

/**
 * A whole number of milliseconds: a time, or the length of a time. A process's monotonic clock has fractions of a
 * millisecond, and a database column of milliseconds has none: SQLite refuses a fraction, and MySQL rounds it. So every
 * time that a store writes has this type, and the compiler refuses any other number.
 */
export type WholeMs = number & { readonly [brand]: "WholeMs" };

/** The time, rounded up. A wait or a lease must not become shorter. */
export const wholeMs = (ms: number): WholeMs => Math.ceil(ms) as WholeMs;
