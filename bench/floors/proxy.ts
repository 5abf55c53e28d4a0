/**
 * Floor: a plain signed proxy. PlaceBet in, one signed POST out, the answer back; no authentication, no store, no
 * bounds, nothing survives it. Usage: proxy.ts <directory file>
 */
import { serve } from "./plain-server.ts";
import { responseTo, Sessions, signedPost } from "./signed-post.ts";

const sessions = new Sessions(process.argv[2] ?? "");

serve(async (bet) => responseTo(bet, sessions, await signedPost(sessions, sessions.find(bet.sessionId), bet)));
