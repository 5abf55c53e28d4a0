const said = new Set<string>();

/**
 * Writes a warning for the merchant's developer to the console, each text only once. A message never contains a token.
 */
export function warn(message: string): void {
  if (!said.has(message)) console.warn(`[SBRenderer] ${message}`);
  said.add(message);
}

/** Logs the error that a callback of the merchant threw, or with which its promise rejected. */
export function logFailure(name: string, error: unknown): void {
  console.error(`[SBRenderer] ${name} failed`, error);
}
