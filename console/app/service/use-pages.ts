import { useEffect, useState } from "preact/hooks";
import { call } from "./call.ts";
import { Failure } from "./failure.ts";
import type { Paged } from "./types.ts";
import { type Asked, useCall } from "./use-call.ts";

export interface AskedPages<Reply> {
  /** The first page. */
  readonly first: Asked<Reply>;
  /** All pages that were read so far. */
  readonly pages: readonly Reply[];
  /** Reads the next page; undefined: there is none. */
  readonly more: (() => void) | undefined;
  readonly isReadingMore: boolean;
  /** Why the next page could not be read. */
  readonly moreFailure: Failure | undefined;
}

/** A listing, page by page. A changed request begins again. */
export function usePages<Reply extends Paged>(rpc: string | null, request: object): AskedPages<Reply> {
  const first = useCall<Reply>(rpc, request);
  const [further, setFurther] = useState<readonly Reply[]>([]);
  const [isReadingMore, setReading] = useState(false);
  const [moreFailure, setFailure] = useState<Failure>();
  useEffect(() => {
    setFurther([]);
    setReading(false);
    setFailure(undefined);
  }, [first.reply]);
  const pages = first.reply === undefined ? [] : [first.reply, ...further];
  const cursor = pages.at(-1)?.nextCursor;
  const more = (): void => {
    if (rpc === null || isReadingMore) return;
    const of = first.reply;
    setReading(true);
    setFailure(undefined);
    call<Reply>(rpc, { ...request, cursor }).then(
      (reply) => {
        setReading(false);
        // A page of an older listing is dropped.
        setFurther((now) => (first.reply === of ? [...now, reply] : now));
      },
      (cause: unknown) => {
        setReading(false);
        setFailure(cause instanceof Failure ? cause : new Failure("NOT_READABLE", String(cause)));
      },
    );
  };
  return { first, pages, more: cursor === undefined || cursor === "" ? undefined : more, isReadingMore, moreFailure };
}
