const said = new Set<string>();

/** Warns the merchant's developer on the console, once of each thing. A message never has a token. */
export function warn(message: string): void {
  if (!said.has(message)) console.warn(`[SBRenderer] ${message}`);
  said.add(message);
}

/** Logs what a function of the merchant threw, or its promise rejected with. */
export function logFailure(name: string, error: unknown): void {
  console.error(`[SBRenderer] ${name} failed`, error);
}
