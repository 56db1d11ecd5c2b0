// A static web server for dist/, as plain as any that the page may be put on.

import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

// Not the root of the host: the page has to work in any folder.
const FOLDER = "/a/folder/";

/**
 * Serves a folder on a free port of this machine.
 * @param {string} dist
 * @returns {Promise<{ base: string, close: () => Promise<void> }>} the page's address, and how to stop
 */
export async function serve(dist) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const inside = pathname.startsWith(FOLDER) ? normalize(decodeURIComponent(pathname.slice(FOLDER.length))) : "..";
    const file = join(dist, inside === "." || inside === "" ? "index.html" : inside);
    const isFile = !inside.startsWith("..") && statSync(file, { throwIfNoEntry: false })?.isFile();
    if (!isFile || request.method !== "GET") {
      response.writeHead(isFile ? 405 : 404).end();
      return;
    }
    response.writeHead(200, {
      "Content-Type": TYPES[extname(file)] ?? "application/octet-stream",
      "Cache-Control": "no-store",
    });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  return {
    base: `http://127.0.0.1:${server.address().port}${FOLDER}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
