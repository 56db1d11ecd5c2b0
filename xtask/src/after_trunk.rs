//! Trunk's last step: the page's program is cut along its borders, and everything that loads gets a name that changes
//! with its content.
//!
//! Trunk knows one file a program. The borders (see src/page/borders) are found by what the linker notes about the
//! whole program, which wasm-bindgen drops; so the program is cut as cargo left it, and wasm-bindgen and wasm-opt run
//! once more on what was cut.

use crate::{
    Result, hash,
    shell::{AtPath, cargo, output, root, run},
    tools,
};
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The modules that workers are made of, as `index.html` names them until their content is known.
const WORKERS: [&str; 1] = ["planner"];

/// The page's program.
const PAGE: &str = "vram-ledger";

/// The file that knows the parts and fetches them.
const LINK: &str = "parts";

/// Works on the folder that Trunk is about to publish.
pub fn run_hook() -> Result {
    let staging = env::var_os("TRUNK_STAGING_DIR").ok_or("TRUNK_STAGING_DIR is not set; Trunk runs this step")?;
    let staging = PathBuf::from(staging);
    let index = staging.join("index.html");
    let mut html = fs::read_to_string(&index).at("read", &index)?;
    for name in WORKERS {
        html = named_by_content(&staging, name, &html)?;
    }
    html = cut(&staging, html)?;
    fs::write(&index, without_comments(&html)).at("write", &index)?;
    for file in files_of(&staging)? {
        if file.extension().is_some_and(|kind| kind == "js" || kind == "css") {
            // wasm-bindgen names the script of the parts once for each import from it, in one object.
            let repeated = "--log-override:duplicate-object-key=silent";
            let minify = ["--minify", "--charset=utf8", "--log-level=warning", repeated, "--allow-overwrite"];
            run(Command::new("esbuild").args(minify).arg(&file).arg(format!("--outfile={}", file.display())))?;
        }
    }
    Ok(())
}

/// What is said to whoever reads the source is not sent to whoever reads the page.
fn without_comments(html: &str) -> String {
    let mut text = String::new();
    let mut rest = html;
    while let Some(start) = rest.find("<!--") {
        text.push_str(&rest[..start]);
        rest = rest[start..].split_once("-->").map_or("", |(_, after)| after.trim_start_matches('\n'));
    }
    text + rest
}

/// Renames the two files of a worker, and answers `html` with the new name in it.
fn named_by_content(staging: &Path, name: &str, html: &str) -> Result<String> {
    let read = |name: &str| fs::read(staging.join(name)).at("read", &staging.join(name));
    let rename =
        |from: &str, to: &str| fs::rename(staging.join(from), staging.join(to)).at("rename", &staging.join(from));
    let (script, wasm) = (format!("{name}.js"), format!("{name}_bg.wasm"));
    let placeholder = format!("content=\"./{script}\"");
    if html.matches(&placeholder).count() != 1 {
        return Err(format!("index.html must contain {placeholder} exactly once"));
    }
    start_by_itself(&staging.join(&script))?;
    let stem = format!("{name}-{}", hash::name_of(&[&read(&script)?, &read(&wasm)?]));
    rename(&script, &format!("{stem}.js"))?;
    rename(&wasm, &format!("{stem}_bg.wasm"))?;
    Ok(html.replace(&placeholder, &format!("content=\"./{stem}.js\"")))
}

/// Has a worker's script start its program, for there is nobody else to start it: with the wasm file whose name follows from its own.
fn start_by_itself(script: &Path) -> Result {
    let text = fs::read_to_string(script).at("read", script)?;
    if !text.contains("async function __wbg_init(") {
        return Err(format!("{} no longer has __wbg_init", script.display()));
    }
    let wasm = "new URL(import.meta.url.replace(/\\.js$/, \"_bg.wasm\"))";
    fs::write(script, format!("{text}\n__wbg_init({{ module_or_path: {wasm} }});\n")).at("write", script)
}

/// Puts the page's program, cut into its parts, in the place of the whole one.
fn cut(staging: &Path, html: String) -> Result<String> {
    let target = target_folder()?;
    let whole = target.join(format!("wasm32-unknown-unknown/page/{PAGE}.wasm"));
    let work = target.join("parts");
    if work.exists() {
        fs::remove_dir_all(&work).at("remove", &work)?;
    }
    let (uncut, bound) = (work.join("cut"), work.join("bound"));
    run(Command::new(tools::WASM_SPLIT).arg(&whole).arg(&uncut).args(["--target", "web", "--out-name", PAGE]))?;
    run(Command::new("wasm-bindgen")
        .arg(uncut.join(format!("{PAGE}.wasm")))
        .args(["--target", "web", "--no-typescript", "--keep-lld-exports", "--out-name", PAGE, "--out-dir"])
        .arg(&bound))?;

    // What is published, under names that do not have the content in them yet.
    let mut wasm = vec![(bound.join(format!("{PAGE}_bg.wasm")), format!("{PAGE}_bg.wasm"))];
    for part in files_of(&uncut)? {
        let name = part.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.ends_with(".wasm") && name != format!("{PAGE}.wasm") {
            wasm.push((part, name));
        }
    }
    wasm.sort();
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    for (file, name) in wasm {
        let small = work.join(&name);
        run(Command::new("wasm-opt").arg("-Oz").args(FEATURES).arg(&file).arg("--output").arg(&small))?;
        files.push((name, fs::read(&small).at("read", &small)?));
    }
    let read = |file: PathBuf| fs::read_to_string(&file).at("read", &file);
    let link = read(uncut.join("__wasm_split.js"))?;
    // A server that does not know the type of wasm files serves the page too.
    let streaming = "WebAssembly.instantiateStreaming(src, imports)";
    if !link.contains(streaming) {
        return Err(format!("the script of the parts no longer says {streaming}"));
    }
    let link = link.replace(
        streaming,
        "src.then((got) => got.arrayBuffer()).then((got) => WebAssembly.instantiate(got, imports))",
    );
    let glue =
        read(bound.join(format!("{PAGE}.js")))?.replace("from \"./__wasm_split.js\"", &format!("from \"./{LINK}.js\""));
    files.push((format!("{LINK}.js"), link.into_bytes()));
    files.push((format!("{PAGE}.js"), glue.into_bytes()));

    // One name for all: each file names others, so that no order of naming them one by one would do.
    let contents: Vec<&[u8]> = files.iter().map(|(_, content)| content.as_slice()).collect();
    let hash = hash::name_of(&contents);
    let renamed = |name: &str| {
        let (stem, end) = name.split_at(name.find(['.']).unwrap_or(name.len()));
        match stem.strip_suffix("_bg") {
            Some(stem) => format!("{stem}-{hash}_bg{end}"),
            None => format!("{stem}-{hash}{end}"),
        }
    };
    let names: Vec<(String, String)> = files.iter().map(|(name, _)| (name.clone(), renamed(name))).collect();
    for (name, content) in files {
        let content = if name.ends_with(".js") {
            // Where a file is fetched from. The program knows the script of its parts by another name, which stays.
            let named = |text: String, (old, new): &(String, String)| {
                ["from ", "new URL("].iter().fold(text, |text, before| {
                    text.replace(&format!("{before}\"./{old}\""), &format!("{before}\"./{new}\""))
                })
            };
            names.iter().fold(String::from_utf8_lossy(&content).into_owned(), named).into_bytes()
        } else {
            content
        };
        let file = staging.join(renamed(&name));
        fs::write(&file, content).at("write", &file)?;
    }
    replaced(staging, html, &renamed(&format!("{PAGE}.js")), &renamed(&format!("{PAGE}_bg.wasm")))
}

/// What rustc lets the program use; the parts do not say so themselves any more.
const FEATURES: [&str; 6] = [
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// `html` with the new names of script and program; the old files go.
fn replaced(staging: &Path, mut html: String, script: &str, wasm: &str) -> Result<String> {
    for (id, new) in [("glue", script), ("wasm", wasm)] {
        let tag = html.find(&format!("<link id=\"{id}\"")).ok_or_else(|| format!("index.html has no link {id}"))?;
        let from = tag + html[tag..].find("href=\"./").ok_or_else(|| format!("the link {id} has no address"))? + 8;
        let to = from + html[from..].find('"').ok_or_else(|| format!("the address of the link {id} does not end"))?;
        let old = staging.join(&html[from..to]);
        fs::remove_file(&old).at("remove", &old)?;
        html.replace_range(from..to, new);
    }
    Ok(html)
}

fn files_of(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).at("read", folder)?;
    entries.map(|entry| entry.map(|entry| entry.path()).at("read", folder)).collect()
}

/// Where cargo builds.
fn target_folder() -> Result<PathBuf> {
    let described = output(cargo().current_dir(root()).args(["metadata", "--no-deps", "--format-version", "1"]))
        .ok_or("cargo does not describe the workspace")?;
    let key = "\"target_directory\":\"";
    let from = described.find(key).ok_or("cargo does not say where it builds")? + key.len();
    let to = described[from..].find('"').ok_or("cargo does not say where it builds")?;
    Ok(PathBuf::from(described[from..from + to].replace("\\\\", "\\")))
}
