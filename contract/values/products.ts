/** The types of games in the catalog, which are also the products that a merchant may have. */
export const PRODUCTS = ["slot", "live", "sportsbook"] as const;
