/** The configuration of this service that merchants need to know. */
export interface Surroundings {
  readonly environment: string;
  /** The sportsbook's address without a trailing slash; null: there is no sportsbook. */
  readonly sportsbookUrl: string | null;
}

/** The addresses of the browser library and of its integrity hash. */
export const browserLibrary = (sportsbookUrl: string) => ({
  scriptUrl: `${sportsbookUrl}/sb-renderer.min.js`,
  integrityUrl: `${sportsbookUrl}/sb-renderer.integrity.json`,
});
