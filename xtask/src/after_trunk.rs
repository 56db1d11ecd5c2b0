//! Trunk's last step: the modules that load later get names that change with their content, as everything else has.
//!
//! Trunk names a module that is not the page's main one after its binary alone. Under such a name a browser may pair an
//! old `curves.js` with a new `curves_bg.wasm`; with the content in both names it cannot.

use crate::{Result, hash, shell::AtPath};
use std::{
    env, fs,
    path::{Path, PathBuf},
};

/// The modules that load later, as `index.html` names them until their content is known.
const LATER: [&str; 2] = ["curves", "views"];

/// Works on the folder that Trunk is about to publish.
pub fn run() -> Result {
    let staging = env::var_os("TRUNK_STAGING_DIR").ok_or("TRUNK_STAGING_DIR is not set; Trunk runs this step")?;
    let staging = PathBuf::from(staging);
    let index = staging.join("index.html");
    let mut html = fs::read_to_string(&index).at("read", &index)?;
    for name in LATER {
        html = named_by_content(&staging, name, &html)?;
    }
    fs::write(&index, html).at("write", &index)
}

/// Renames the two files of a module, and answers `html` with the new name in it.
fn named_by_content(staging: &Path, name: &str, html: &str) -> Result<String> {
    let read = |name: &str| fs::read(staging.join(name)).at("read", &staging.join(name));
    let rename =
        |from: &str, to: &str| fs::rename(staging.join(from), staging.join(to)).at("rename", &staging.join(from));
    let (script, wasm) = (format!("{name}.js"), format!("{name}_bg.wasm"));
    let placeholder = format!("content=\"./{script}\"");
    if html.matches(&placeholder).count() != 1 {
        return Err(format!("index.html must contain {placeholder} exactly once"));
    }
    let stem = format!("{name}-{}", hash::name_of(&[&read(&script)?, &read(&wasm)?]));
    rename(&script, &format!("{stem}.js"))?;
    rename(&wasm, &format!("{stem}_bg.wasm"))?;
    Ok(html.replace(&placeholder, &format!("content=\"./{stem}.js\"")))
}
