import { call } from "./call.ts";
import type { Paged } from "./types.ts";
import { type Asked, useRead } from "./use-call.ts";

/** The pages of a listing. */
export interface All<Reply> {
  readonly pages: readonly Reply[];
  /** Whether the listing has further pages, which were not read. */
  readonly isCut: boolean;
}

/** All pages of a listing, for a page that sorts them. At most `pagesMax` are read. */
export const useAllPages = <Reply extends Paged>(rpc: string, request: object, pagesMax: number): Asked<All<Reply>> =>
  useRead(`${rpc} ${JSON.stringify(request)}`, async (signal) => {
    const pages: Reply[] = [];
    let cursor: string | undefined;
    do {
      const page: Reply = await call<Reply>(rpc, { ...request, cursor }, signal);
      pages.push(page);
      cursor = page.nextCursor || undefined;
    } while (cursor !== undefined && pages.length < pagesMax);
    return { pages, isCut: cursor !== undefined };
  });
