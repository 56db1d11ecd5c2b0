//! Trunk's last step: the second module gets a name that changes with its content, as everything else has.
//!
//! Trunk names a module that is not the page's main one after its binary alone. Under such a name a browser may pair an
//! old `curves.js` with a new `curves_bg.wasm`; with the content in both names it cannot.

use crate::{Result, hash, shell::AtPath};
use std::{env, fs, path::PathBuf};

const SCRIPT: &str = "curves.js";
const WASM: &str = "curves_bg.wasm";
/// What `index.html` says until the name is known.
const PLACEHOLDER: &str = "content=\"./curves.js\"";

/// Works on the folder that Trunk is about to publish.
pub fn run() -> Result {
    let staging = env::var_os("TRUNK_STAGING_DIR").ok_or("TRUNK_STAGING_DIR is not set; Trunk runs this step")?;
    let staging = PathBuf::from(staging);
    let read = |name: &str| fs::read(staging.join(name)).at("read", &staging.join(name));
    let rename =
        |from: &str, to: &str| fs::rename(staging.join(from), staging.join(to)).at("rename", &staging.join(from));

    let stem = format!("curves-{}", hash::name_of(&[&read(SCRIPT)?, &read(WASM)?]));
    let index = staging.join("index.html");
    let html = fs::read_to_string(&index).at("read", &index)?;
    if html.matches(PLACEHOLDER).count() != 1 {
        return Err(format!("index.html must contain {PLACEHOLDER} exactly once"));
    }
    rename(SCRIPT, &format!("{stem}.js"))?;
    rename(WASM, &format!("{stem}_bg.wasm"))?;
    let html = html.replace(PLACEHOLDER, &format!("content=\"./{stem}.js\""));
    fs::write(&index, html).at("write", &index)
}
