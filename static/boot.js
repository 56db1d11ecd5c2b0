// Starts the page. A file of its own because the content policy allows no inline script.
// Trunk writes the hashed names into the two preload links and into <meta name="curves">.
const page = document.documentElement;

/** Loads one wasm-bindgen module: its JavaScript, then its wasm. */
const load = async (js, wasm) => {
  const module = await import(js);
  await module.default({ module_or_path: wasm });
  return module;
};

/** The module of the curves, fetched when first asked for; the page calls this. A failed load may be tried again. */
let curves;
window.loadCurves = () => {
  const js = new URL(document.querySelector("meta[name=curves]").content, document.baseURI).href;
  curves ??= load(js, js.replace(/\.js$/, "_bg.wasm")).catch((error) => {
    curves = undefined;
    throw error;
  });
  return curves;
};

try {
  await load(document.getElementById("glue").href, document.getElementById("wasm").href);
  // The page itself says when it has taken the place of the first paint: data-app="ready".
} catch (error) {
  page.setAttribute("data-app", "failed");
  document.getElementById("failed").hidden = false;
  throw error;
}
