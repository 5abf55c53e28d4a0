/** The roles of admin keys. Each role may do everything that the roles before it may do. */
export const ROLES = ["viewer", "support", "manager", "owner"] as const;
export type Role = (typeof ROLES)[number];

export const isRole = (text: string): text is Role => (ROLES as readonly string[]).includes(text);

/** Whether `role` may do an action that requires at least the role `needed`. */
export const mayAct = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed);
