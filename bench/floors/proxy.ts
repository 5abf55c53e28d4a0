/**
 * Floor: a plain signed proxy. It receives a PlaceBet, sends one signed POST, and returns the answer. It has no
 * authentication, no store and no limits, and it has no data after a restart. Usage: proxy.ts <directory file>
 */
import { serve } from "./plain-server.ts";
import { responseTo, Sessions, signedPost } from "./signed-post.ts";

const sessions = new Sessions(process.argv[2] ?? "");

serve(async (bet) => responseTo(bet, sessions, await signedPost(sessions, sessions.find(bet.sessionId), bet)));
