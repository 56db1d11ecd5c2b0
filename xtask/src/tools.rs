//! What building and testing need, each found where it already is or installed once.
//!
//! A tool of the right version on PATH is used as it is; everything else goes into the per-user cache. Only the browser
//! and its fonts come from the system's package manager.

use crate::{
    Result, cache, hash,
    shell::{self, AtPath, cargo, output, run, say, took, version_of},
};
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
    time::Instant,
};

const TRUNK: &str = "0.21.14";
/// The version of npm's `binaryen`; its `wasm-opt` says 132.
const BINARYEN: &str = "132.0.0";
/// The program that cuts the page's program along its borders, of the crate `wasm_split_cli_support`.
pub const WASM_SPLIT: &str = "wasm-split-cli";
const WASM_SPLIT_VERSION: &str = "0.2.4";
const CARGO_DENY: &str = "0.20.2";
const ESBUILD: &str = "0.25.12";
const NODE_MAJOR: u32 = 20;
const WASM: &str = "wasm32-unknown-unknown";

/// Installs everything that building and testing need.
pub fn everything() -> Result {
    let start = Instant::now();
    rust_components()?;
    for_building()?;
    chromium()?;
    fonts();
    test_packages()?;
    cargo_deny()?;
    took("everything is installed", start);
    Ok(())
}

/// The folders that building the page needs on PATH.
pub fn for_building() -> Result<Vec<PathBuf>> {
    node()?;
    wasm_target()?;
    // Trunk builds offline; the crates must be here before it starts.
    let start = Instant::now();
    run(cargo().args(["fetch", "--quiet"])).map_err(|error| {
        format!("{error}\nThe crates of Cargo.lock could not be fetched; is the registry in reach?")
    })?;
    took("crates", start);
    Ok([trunk()?, wasm_bindgen()?, Some(wasm_split()?), wasm_opt()?, Some(esbuild()?)].into_iter().flatten().collect())
}

/// rustfmt and clippy, which a minimal toolchain lacks.
pub fn rust_components() -> Result {
    let missing: Vec<&str> = [("rustfmt", "fmt"), ("clippy", "clippy")]
        .into_iter()
        .filter(|(_, command)| output(cargo().args([command, "--version"])).is_none())
        .map(|(component, _)| component)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    say(format!("installing {}", missing.join(" and ")));
    run(Command::new("rustup").args(["component", "add"]).args(&missing)).map_err(|error| {
        format!(
            "{error}\nInstall {} beside rustc, with rustup or the package manager it came from.",
            missing.join(" and ")
        )
    })
}

/// The standard library for WebAssembly.
pub fn wasm_target() -> Result {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let libraries = output(Command::new(rustc).args(["--print", "target-libdir", "--target", WASM]));
    if libraries.is_some_and(|folder| Path::new(&folder).is_dir()) {
        return Ok(());
    }
    say(format!("installing Rust's standard library for {WASM}"));
    run(Command::new("rustup").args(["target", "add", WASM])).map_err(|error| {
        format!("{error}\nThe page needs the {WASM} target of the Rust in use; rustup (https://rustup.rs) installs it.")
    })
}

/// Node and npm, which this command does not install.
pub fn node() -> Result {
    let advice = format!("Install Node {NODE_MAJOR} or newer with npm, for example from https://nodejs.org.");
    let version = version_of_node().ok_or_else(|| format!("Node is not installed. {advice}"))?;
    let major = version.split('.').next().and_then(|major| major.parse::<u32>().ok());
    if major.is_none_or(|major| major < NODE_MAJOR) {
        return Err(format!("Node {version} is too old. {advice}"));
    }
    if shell::find_on_path("npm").is_none() {
        return Err(format!("npm is not installed. {advice}"));
    }
    Ok(())
}

fn version_of_node() -> Option<String> {
    output(Command::new("node").arg("--version")).map(|version| version.trim_start_matches('v').to_owned())
}

fn trunk() -> Result<Option<PathBuf>> {
    if version_of("trunk").as_deref() == Some(TRUNK) {
        return Ok(None);
    }
    // Its default features are a check for updates and TLS, for downloads of tools that are here already.
    let options = ["--locked", "--no-default-features"];
    cargo_install(&Crate { tool: "trunk", package: "trunk", version: TRUNK, options: &options }).map(Some)
}

fn wasm_bindgen() -> Result<Option<PathBuf>> {
    let version = locked_version("wasm-bindgen")?;
    if version_of("wasm-bindgen").as_deref() == Some(&version) {
        return Ok(None);
    }
    // Not `--locked`: the lock file it is published with names a crate that not every registry serves. Without its
    // default features it needs no TLS either.
    let options = ["--no-default-features"];
    let package = "wasm-bindgen-cli";
    cargo_install(&Crate { tool: "wasm-bindgen", package, version: &version, options: &options }).map(Some)
}

/// It says no version of itself, so that only the cache's own is known to be the right one.
fn wasm_split() -> Result<PathBuf> {
    let options = ["--locked", "--features", "build-binary"];
    let package = "wasm_split_cli_support";
    cargo_install(&Crate { tool: WASM_SPLIT, package, version: WASM_SPLIT_VERSION, options: &options })
}

/// It holds the dependencies to the licences, sources and versions that deny.toml accepts.
pub fn cargo_deny() -> Result<PathBuf> {
    let program = "cargo-deny";
    if version_of(program).as_deref() == Some(CARGO_DENY) {
        return Ok(program.into());
    }
    let installed = Crate { tool: program, package: program, version: CARGO_DENY, options: &["--locked"] };
    Ok(cargo_install(&installed)?.join(program))
}

fn wasm_opt() -> Result<Option<PathBuf>> {
    let major = BINARYEN.split('.').next();
    if version_of("wasm-opt").as_deref() == major {
        return Ok(None);
    }
    npm_install("binaryen", BINARYEN).map(Some)
}

/// It makes scripts and style sheets small.
fn esbuild() -> Result<PathBuf> {
    npm_install("esbuild", ESBUILD)
}

/// The programs of one npm package.
fn npm_install(package: &str, version: &str) -> Result<PathBuf> {
    let folder = cache::installed(package, version, |folder| {
        // npm takes what it finds for whole.
        let modules = folder.join("node_modules");
        if modules.exists() {
            fs::remove_dir_all(&modules).at("remove", &modules)?;
        }
        run(npm(folder).args(["install", "--no-save", &format!("{package}@{version}")]))
            .map_err(|error| format!("{error}\nIs the npm registry in reach?"))
    })?;
    Ok(folder.join("node_modules/.bin"))
}

/// A program that a crate of the registry holds.
struct Crate<'a> {
    /// The program, and its folder in the cache.
    tool: &'a str,
    package: &'a str,
    version: &'a str,
    /// What building it takes beside its name.
    options: &'a [&'a str],
}

/// Installs a program: ready-made by `cargo binstall` where that is there and finds one, else built here.
fn cargo_install(installed: &Crate) -> Result<PathBuf> {
    let Crate { tool, version, .. } = installed;
    let folder = cache::installed(tool, version, |folder| {
        if binstall(installed, folder) { Ok(()) } else { build_tool(installed, folder) }
    })?;
    Ok(folder.join("bin"))
}

/// Whether `cargo binstall` is there and got the program.
fn binstall(installed: &Crate, folder: &Path) -> bool {
    let Crate { tool, package, version, .. } = installed;
    if shell::find_on_path("cargo-binstall").is_none() {
        return false;
    }
    let options = ["binstall", "--no-confirm", "--force", "--disable-strategies", "compile", "--disable-telemetry"];
    let got = run(cargo().args(options).arg("--root").arg(folder).arg(format!("{package}@{version}"))).is_ok()
        && folder.join("bin").join(tool).with_extension(env::consts::EXE_EXTENSION).is_file();
    if !got {
        say(format!("cargo binstall has no {tool} {version} for this machine; it is built instead"));
    }
    got
}

/// `cargo install` of one crate, going on from what an interrupted build left.
///
/// Compiled as quickly as can be: the tools work for seconds a build of the page, and would be compiled for minutes
/// longer. Checks of overflows and assertions are left out because compiling them takes a fifth of the time.
fn build_tool(installed: &Crate, folder: &Path) -> Result {
    let Crate { package, version, options, .. } = installed;
    say(format!("building {package} {version}, which takes minutes, once a user"));
    let objects = folder.join("target");
    run(cargo()
        .current_dir(folder)
        .env_remove("CARGO_TARGET_DIR")
        .envs(QUICKLY_COMPILED)
        .args(["install", "--debug", "--force", package, "--version", version])
        .args(*options)
        .arg("--root")
        .arg(folder)
        .arg("--target-dir")
        .arg(&objects))
    .map_err(|error| format!("{error}\nIs the crate registry in reach, and a C compiler installed?"))?;
    fs::remove_dir_all(&objects).at("remove", &objects)
}

const QUICKLY_COMPILED: [(&str, &str); 3] = [
    ("CARGO_PROFILE_DEV_DEBUG", "0"),
    ("CARGO_PROFILE_DEV_DEBUG_ASSERTIONS", "false"),
    ("CARGO_PROFILE_DEV_OVERFLOW_CHECKS", "false"),
];

/// Has a command that builds the page's program leave out the folders of whoever builds it: they would stand in the
/// messages of its panics.
pub fn without_own_folders(command: &mut Command) {
    if let Some(sources) = registry_sources() {
        command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", format!("--remap-path-prefix={sources}="));
    }
}

/// Where cargo keeps the sources of crates; none where the path cannot stand in a list of flags.
fn registry_sources() -> Option<String> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cargo")))?;
    let sources = home.join("registry/src/").to_str()?.to_owned();
    (!sources.contains([' ', '='])).then_some(sources)
}

/// The version of a package in this checkout's Cargo.lock.
fn locked_version(package: &str) -> Result<String> {
    let path = shell::root().join("Cargo.lock");
    let lock = fs::read_to_string(&path).at("read", &path)?;
    find_locked(&lock, package).ok_or_else(|| format!("Cargo.lock names no version of {package}"))
}

fn find_locked(lock: &str, package: &str) -> Option<String> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name);
    lines.nth(1)?.strip_prefix("version = \"")?.strip_suffix('"').map(str::to_owned)
}

/// npm at work in `folder`, without the install scripts of packages: none of them needs one.
fn npm(folder: &Path) -> Command {
    let mut npm = Command::new("npm");
    npm.arg("--prefix").arg(folder).args(["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]);
    npm
}

/// The folder whose `node_modules` holds what package-lock.json names.
pub fn test_packages() -> Result<PathBuf> {
    node()?;
    let manifest = shell::root().join("package.json");
    let lock = shell::root().join("package-lock.json");
    let contents = [fs::read(&manifest).at("read", &manifest)?, fs::read(&lock).at("read", &lock)?];
    let version = hash::name_of(&[&contents[0], &contents[1]]);
    cache::installed("browser-test-packages", &version, |folder| {
        for (source, content) in [&manifest, &lock].into_iter().zip(&contents) {
            let target = folder.join(source.file_name().unwrap_or_default());
            fs::write(&target, content).at("write", &target)?;
        }
        run(npm(folder).arg("ci")).map_err(|error| format!("{error}\nIs the npm registry in reach?"))
    })
}

/// A Chromium: the one `CHROME_PATH` names, one on PATH, or Debian's.
pub fn chromium() -> Result<PathBuf> {
    static FOUND: OnceLock<PathBuf> = OnceLock::new();
    if let Some(path) = FOUND.get() {
        return Ok(path.clone());
    }
    let path = match find_chromium()? {
        Some(path) => path,
        None => {
            install_with_apt(&["chromium"]).map_err(|error| {
                format!(
                    "no Chromium was found and none could be installed: {error}\n\
                     Install Chromium or Chrome, or set CHROME_PATH to the program."
                )
            })?;
            find_chromium()?.ok_or("Chromium was installed but cannot be run; set CHROME_PATH to the program")?
        }
    };
    Ok(FOUND.get_or_init(|| path).clone())
}

fn find_chromium() -> Result<Option<PathBuf>> {
    // A name on PATH may be an empty promise (a package that only points at another): it has to answer.
    let runs = |path: &PathBuf| output(Command::new(path).arg("--version")).is_some();
    if let Some(path) = env::var_os("CHROME_PATH").map(PathBuf::from) {
        let message = format!("CHROME_PATH names {}, which cannot be run", path.display());
        return Some(path).filter(runs).map(Some).ok_or(message);
    }
    let names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
    Ok(names.into_iter().filter_map(shell::find_on_path).find(runs))
}

/// A font for Chinese text. Without one only the pictures suffer, so that nothing fails for want of it.
pub fn fonts() {
    let list = output(Command::new("fc-list").args([":lang=zh-cn", "family"]));
    if list.is_some_and(|list| !list.is_empty()) {
        return;
    }
    if let Err(error) = install_with_apt(&["fonts-noto-cjk"]) {
        say(format!("no font for Chinese text: {error}\n  Pictures of the Chinese page will show boxes."));
    }
}

/// Installs Debian packages, as root or through sudo.
fn install_with_apt(packages: &[&str]) -> Result {
    let names = packages.join(" ");
    if shell::find_on_path("apt-get").is_none() {
        return Err(format!("this system has no apt-get to install {names} with"));
    }
    let is_root = output(Command::new("id").arg("-u")).as_deref() == Some("0");
    let has_sudo = shell::find_on_path("sudo").is_some();
    if !is_root && !has_sudo {
        return Err(format!("installing {names} takes root; run `apt-get install {names}` as root"));
    }
    let apt = |arguments: &[&str]| {
        let mut command = if is_root { Command::new("apt-get") } else { Command::new("sudo") };
        if !is_root {
            command.arg("apt-get");
        }
        run(command.arg("--quiet").args(arguments).env("DEBIAN_FRONTEND", "noninteractive"))
    };
    say(format!("installing {names} with apt-get"));
    // An old list of packages may still name the right ones, so that only the installation decides.
    let update = apt(&["update"]);
    apt(&[&["install", "--yes", "--no-install-recommends"], packages].concat()).map_err(|error| match update {
        Ok(()) => error,
        Err(update) => format!("{update}; {error}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_version_from_a_lock_file() {
        let lock = "[[package]]\nname = \"wasm-bindgen-futures\"\nversion = \"0.4.80\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\nsource = \"…\"\n";
        assert_eq!(find_locked(lock, "wasm-bindgen").as_deref(), Some("0.2.130"));
        assert_eq!(find_locked(lock, "wasm"), None);
    }

    #[test]
    fn the_checkout_locks_one_wasm_bindgen() {
        let version = locked_version("wasm-bindgen").expect("Cargo.lock is part of the checkout");
        assert_eq!(version.split('.').count(), 3, "{version}");
    }
}
