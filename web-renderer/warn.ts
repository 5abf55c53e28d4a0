/** Warns the merchant's developer on the console. A message never has a token. */
export function warn(message: string, ...details: unknown[]): void {
  console.warn(`[SBRenderer] ${message}`, ...details);
}
