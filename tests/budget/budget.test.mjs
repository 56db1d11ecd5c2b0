// The size of everything that must load before the page answers, as a web server sends it at its best (brotli, quality
// 11). What loads later is listed, but not counted.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { firstLoad } from "./first-load.mjs";

const LIMIT = 190_000;
const dist = fileURLToPath(new URL("../../dist/", import.meta.url));

const compressed = (bytes) =>
  brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  }).length;

const measure = (file) => {
  const bytes = readFileSync(join(dist, file));
  return { file, raw: bytes.length, brotli: compressed(bytes) };
};

const total = (rows) => rows.reduce((sum, { brotli }) => sum + brotli, 0);

const table = (title, rows) => {
  const number = (bytes) => bytes.toLocaleString("en-US").padStart(12);
  const line = (name, raw, brotli) => `  ${name.padEnd(42)}${raw}${brotli}`;
  return [
    line(title, "raw bytes".padStart(12), "brotli".padStart(12)),
    ...rows.map(({ file, raw, brotli }) => line(file, number(raw), number(brotli))),
    line("together", number(rows.reduce((sum, { raw }) => sum + raw, 0)), number(total(rows))),
  ].join("\n");
};

test("what must load before the page answers keeps to its size", () => {
  const first = firstLoad(dist);
  const everything = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(dist.length).replaceAll("\\", "/"));
  const rows = first.map(measure);
  const later = everything.filter((file) => !first.includes(file)).sort().map(measure);
  console.log(`${table("before the first answer", rows)}\n\n${table("later", later)}\n`);

  const kinds = new Set(first.map((file) => file.split(".").pop()));
  assert.deepEqual([...kinds].sort(), ["css", "html", "js", "wasm"], "a kind of file is missing from the count, or new");
  const sum = total(rows);
  assert.ok(sum <= LIMIT, `${sum} bytes of brotli are ${sum - LIMIT} more than the ${LIMIT} allowed`);
});
