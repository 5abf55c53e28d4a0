/**
 * Floor: a plain signed proxy. PlaceBet in, one signed POST out, the answer back; no authentication, no store, no bounds, nothing
 * survives it. Usage: proxy.ts <directory file>
 */
import { serve } from "./plain-server.ts";
import { responseTo, Seats, signedPost } from "./signed-post.ts";

const seats = new Seats(process.argv[2] ?? "");

serve(async (bet) => responseTo(bet, seats, await signedPost(seats, seats.find(bet.sessionId), bet)));
