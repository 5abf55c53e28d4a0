/** What an admin key may do: each role may all that the one before it may. */
export const ROLES = ["viewer", "support", "manager", "owner"] as const;
export type Role = (typeof ROLES)[number];

export const isRole = (text: string): text is Role => (ROLES as readonly string[]).includes(text);

/** Whether `role` may do what needs at least `needed`. */
export const mayAct = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed);
