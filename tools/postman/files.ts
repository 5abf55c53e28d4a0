import { openApiDocument } from "../../src/adapters/rest/openapi/document.ts";
import { type ApiDescription, postmanCollection, postmanEnvironment } from "./collection.ts";

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** The texts of the generated files of docs/postman, by their path from the project's root. */
export function postmanFiles(): Readonly<Record<string, string>> {
  const description = openApiDocument("https://api.aggregator.example") as unknown as ApiDescription;
  return {
    "docs/postman/operator-api.postman_collection.json": json(postmanCollection(description)),
    "docs/postman/operator-api.postman_environment.json": json(postmanEnvironment(description.info.title)),
  };
}
