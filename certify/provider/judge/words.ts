/** Texts of calls and answers for reports. */
import type { Answer, Call } from "../aggregator/session.ts";

export const inSeconds = (ms: number): string => `${(ms / 1_000).toFixed(3)} s`;

/** The text of a call, with the fields of its rpc. */
export function callInWords({
  method,
  at,
  txId,
  refTxId,
  roundId,
  amountMinor,
  currency,
  game,
  playerRef,
  further: { via, betTxId, settles, roundEnded, kind },
}: Call): string {
  const fields =
    method === "GetBalance"
      ? []
      : method === "EndRound"
        ? [`round_id=${roundId}`]
        : [
            `tx_id=${txId}`,
            ...(refTxId === "" ? [] : [`ref_tx_id=${refTxId}`]),
            `round_id=${roundId}`,
            `amount_minor=${amountMinor}`,
            `currency=${currency}`,
          ];
  const more = [
    ...(betTxId === "" ? [] : [`bet_tx_id=${betTxId}`]),
    ...(settles ? ["settles"] : []),
    ...(roundEnded ? ["round_ended"] : []),
    ...(kind === "" ? [] : [`kind=${kind}`]),
    ...(via === "" ? [] : [`(${via})`]),
  ];
  const others = [...more, ...(game === "" ? [] : [`game=${game}`]), ...(playerRef === "" ? [] : ["player_ref=…"])];
  return [inSeconds(at), method, ...fields, ...others].join(" ");
}

export function answerInWords(answer: Answer | undefined): string {
  if (answer === undefined) return "no answer yet";
  if (answer.kind === "success") return `SUCCESS, balance ${answer.balanceMinor}`;
  if (answer.kind === "failed") return `FAILED ${answer.error}`;
  if (answer.kind === "pending") return "PENDING";
  if (answer.kind === "none") return `no answer: ${answer.why}`;
  return answer.field === undefined ? answer.code : `${answer.code} (${answer.field})`;
}
