/** A number with its noun: `1 día`, `2 días`. Spanish and Portuguese have one plural for whole numbers above 1. */
export const counted = (many: number, one: string, more: string): string => `${many} ${many === 1 ? one : more}`;
