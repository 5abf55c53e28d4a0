import { type ApiCall, Refused } from "./page-server.ts";

/** Limits the event streams that are open at a time, in total and for each address. */
export class StreamLimit {
  readonly #max: number;
  readonly #perAddress: number;
  readonly #byAddress = new Map<string, number>();
  #open = 0;

  constructor(max: number, perAddress: number) {
    this.#max = max;
    this.#perAddress = perAddress;
  }

  /** Counts a stream until it closes. Throws {@link Refused} when there are too many streams. */
  enter({ request, response }: Pick<ApiCall, "request" | "response">): void {
    const address = request.socket.remoteAddress ?? "";
    const count = this.#byAddress.get(address) ?? 0;
    if (count >= this.#perAddress || this.#open >= this.#max)
      throw new Refused(429, "TOO_MANY_STREAMS", "Too many pages are open. Close some, or try again later.");
    this.#open += 1;
    this.#byAddress.set(address, count + 1);
    response.once("close", () => {
      this.#open -= 1;
      const left = (this.#byAddress.get(address) ?? 1) - 1;
      if (left > 0) this.#byAddress.set(address, left);
      else this.#byAddress.delete(address);
    });
  }
}
