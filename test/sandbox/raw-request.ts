import { request } from "node:http";

/** Returns the status of a GET whose path is sent unchanged. (fetch would normalize the path.) */
export async function requestRaw(url: string, path: string): Promise<number> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on("error", reject)
      .end();
  });
}
