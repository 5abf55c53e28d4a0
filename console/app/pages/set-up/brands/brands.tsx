import type { VNode } from "preact";
import { Listing } from "../../../parts/more.tsx";
import { Empty } from "../../../parts/state.tsx";
import { type Column, Table } from "../../../parts/table.tsx";
import type { Brand, Brands as Reply } from "../../../service/types.ts";
import { usePages } from "../../../service/use-pages.ts";
import { setUpWords, words } from "../../../shell/language.ts";
import { addressOf } from "../../../shell/route.ts";
import { useMay } from "../../../shell/session-context.ts";
import { languageName } from "../language-name.ts";

/** All brands. Each leads to its own page. */
export function Brands(): VNode {
  const say = setUpWords.brands;
  const mayCreate = useMay("manager");
  const asked = usePages<Reply>("admin.BrandAdminService/ListBrands", {});
  const brands = asked.pages.flatMap((page) => page.brands ?? []);
  const columns: Column<Brand>[] = [
    {
      title: words.merchants.code,
      isName: true,
      cell: ({ code }) => (
        <a class="id" href={addressOf("brand", { code })}>
          {code}
        </a>
      ),
    },
    { title: words.merchants.name, cell: ({ name }) => name },
    { title: say.theme, cell: ({ theme }) => theme },
    { title: say.layout, cell: ({ layout }) => say.layouts[layout] },
    { title: words.merchants.language, cell: ({ defaultLanguage }) => languageName(defaultLanguage) },
  ];
  return (
    <section>
      <h1>{say.title}</h1>
      <p class="lead">{say.lead}</p>
      {mayCreate && (
        <div class="actions">
          <a class="button primary" href={addressOf("brand")}>
            {say.create}
          </a>
        </div>
      )}
      <Listing asked={asked} empty={brands.length === 0 ? <Empty title={say.none}>{say.noneText}</Empty> : null}>
        <Table caption={say.title} columns={columns} rows={brands} keyOf={({ code }: Brand) => code} />
      </Listing>
    </section>
  );
}
