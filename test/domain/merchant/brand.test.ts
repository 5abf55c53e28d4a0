import test from "ava";
import { brandFaults, DEFAULT_LAYOUT, DEFAULT_THEME } from "../../../src/domain/merchant/brand.ts";

const brand = {
  code: "house",
  name: "House",
  theme: DEFAULT_THEME,
  layout: DEFAULT_LAYOUT,
  settings: {},
  allowedOrigins: [],
};
const fields = (faults: readonly { readonly field: string }[]) => faults.map(({ field }) => field);

test("an origin has only scheme, host and port", (t) => {
  const faultsOf = (origin: string) => fields(brandFaults({ ...brand, allowedOrigins: [origin] }));
  for (const origin of ["https://shop.example", "http://localhost:3000", "https://shop.example:8443"])
    t.deepEqual(faultsOf(origin), [], origin);
  for (const origin of [
    "https://shop.example/",
    "https://Shop.example",
    "https://shop.example:443",
    "shop.example",
    "*",
    "null",
    "https://*.example",
    "ftp://shop.example",
    "",
  ]) {
    t.deepEqual(faultsOf(origin), ["allowed_origins"], origin);
  }
});

test("every fault of a brand is listed at once", (t) => {
  t.deepEqual(brandFaults(brand), []);
  const faulty = {
    code: "",
    name: "\n",
    theme: "Mint-Carbon",
    layout: "",
    settings: { default_language: 7, big: "x".repeat(17_000) },
    allowedOrigins: ["x"],
  };
  t.deepEqual(fields(brandFaults(faulty)), [
    "code",
    "name",
    "theme",
    "layout",
    "default_language",
    "settings",
    "allowed_origins",
  ]);
});
