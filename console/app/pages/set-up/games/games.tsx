import type { VNode } from "preact";
import { count } from "../../../parts/format.ts";
import { Shown } from "../../../parts/state.tsx";
import { useCall } from "../../../service/use-call.ts";
import { setUpWords } from "../../../shell/language.ts";
import { ImportFile } from "./import-file.tsx";

interface Reply {
  readonly total?: number;
}

/** The import of a catalog file. */
export function Games(): VNode {
  const say = setUpWords.games;
  const asked = useCall<Reply>("admin.CatalogAdminService/ListGames", { limit: 1 });
  return (
    <section>
      <h1>{say.title}</h1>
      <p class="lead">{say.lead}</p>
      <Shown asked={asked}>{({ total = 0 }: Reply) => <p>{say.known(count(total))}</p>}</Shown>
      <ImportFile onDone={asked.again} />
    </section>
  );
}
