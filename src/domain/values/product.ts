/** The version of the service. package.json has the same version. */
export const VERSION = "1.0.0";

/** The header User-Agent of every call that the service makes. Many firewalls refuse a request without it. */
export const USER_AGENT = `game-aggregator/${VERSION}`;
