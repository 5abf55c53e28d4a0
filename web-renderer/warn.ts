/** To the merchant's developer, on the console. Never with a token. */
export function warn(message: string, ...details: unknown[]): void {
  console.warn(`[SBRenderer] ${message}`, ...details);
}
