import { visible } from "../../../web-files/visible.ts";

/**
 * A sentence that may contain texts of strangers. Its line breaks stay. Each other character that controls a terminal
 * becomes a space.
 */
export const visibleSentence = (text: string): string => visible(text).replace(/(?!\n)[\p{Cc}\p{Zl}\p{Zp}]/gu, " ");
