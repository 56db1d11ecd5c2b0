// Starts the page. A file of its own because the content policy allows no inline script.
// Trunk writes the hashed names into the two preload links and the xtask those of later modules into <meta>.
const page = document.documentElement;

/** Loads one wasm-bindgen module: its JavaScript, then its wasm. */
const load = async (js, wasm) => {
  const module = await import(js);
  await module.default({ module_or_path: wasm });
  return module;
};

/** The modules that the page fetches after its first answer, once each; a failed load may be tried again. */
const later = {};
const loadLater = (name) => {
  const js = new URL(document.querySelector(`meta[name=${name}]`).content, document.baseURI).href;
  later[name] ??= load(js, js.replace(/\.js$/, "_bg.wasm")).catch((error) => {
    delete later[name];
    throw error;
  });
  return later[name];
};
window.loadCurves = () => loadLater("curves");

try {
  await load(document.getElementById("glue").href, document.getElementById("wasm").href);
  // The views come behind the first answer, and with them what they look like.
  const style = document.createElement("link");
  style.rel = "stylesheet";
  style.href = document.querySelector("meta[name=later]").content;
  document.head.append(style);
  // The page itself says when it has taken the place of the first paint: data-app="ready".
} catch (error) {
  page.setAttribute("data-app", "failed");
  document.getElementById("failed").hidden = false;
  throw error;
}
