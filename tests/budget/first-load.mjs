// Which files of the built page must load before it answers, found by reading them: what index.html references, and
// what those files import in turn. The browser tests check this list against what a browser really asks for.

import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The references of a text, by the pattern of its kind; `import()` is not among them, because it loads later. */
const REFERENCES = {
  html: /<(?:link|script|img|source|iframe|embed|object)\b[^>]*?\s(?:href|src|data)\s*=\s*["']([^"']+)["']/g,
  js: /(?:^|;)\s*(?:import|export)\b(?:[^"'();]*?\bfrom)?\s*["']([^"']+)["']/gm,
  css: /(?:@import\s+(?:url\()?|url\()\s*["']?([^"')\s]+)/g,
};

const isLocal = (address) => !/^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i.test(address);

/**
 * The files of the first load, as paths inside `dist`, `index.html` first.
 * @param {string} dist the folder of the built page
 * @returns {string[]}
 */
export function firstLoad(dist) {
  const found = new Set(["index.html"]);
  // A set may grow while it is walked: files found here are read in turn.
  for (const file of found) {
    const pattern = REFERENCES[file.split(".").pop()];
    if (!pattern) continue;
    const text = readFileSync(join(dist, file), "utf8").replace(/<!--[^]*?-->/g, "");
    for (const [, address] of text.matchAll(pattern)) {
      if (!isLocal(address)) continue;
      const url = new URL(address, new URL(file, "http://page/"));
      found.add(decodeURIComponent(url.pathname.slice(1)));
    }
  }
  return [...found];
}
