const LOOKS = 20;
const BETWEEN_MS = 20;

/**
 * Resolves to the value that `look` has returned 20 times in a row, 20 ms apart. If the process stands still on a busy
 * machine, that is only one look, so what happened meanwhile is noticed.
 */
export async function steady<T>(look: () => T): Promise<T> {
  let value = look();
  for (let same = 1; same < LOOKS; same++) {
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS));
    const now = look();
    if (now !== value) same = 0;
    value = now;
  }
  return value;
}
