/** Stands for all merchants in the address of a page that shows one merchant by default. */
export const ALL_MERCHANTS = "*";
