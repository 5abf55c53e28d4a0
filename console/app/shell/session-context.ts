import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { mayAct, type Role, type Session } from "../service/session.ts";

export const SessionContext = createContext<Session | null>(null);

/** Who is signed in. Pages exist only while somebody is. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error("nobody is signed in");
  return session;
}

/** Whether the signed-in key has the rights of `least`. */
export const useMay = (least: Role): boolean => mayAct(useSession().role, least);
