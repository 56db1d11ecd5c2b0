//! Where installed tools live: one folder a tool and version, shared by every checkout of this user.

use crate::{
    Result,
    shell::{AtPath, say, took},
};
use std::{
    env,
    fs::{self, File},
    path::{Path, PathBuf},
    time::Instant,
};

/// Written last: a folder without it is a half-finished installation.
const MARKER: &str = "done";

/// `$XDG_CACHE_HOME/vram-ledger`, or `~/.cache/vram-ledger`.
fn home() -> Result<PathBuf> {
    let base = match env::var_os("XDG_CACHE_HOME").filter(|value| Path::new(value).is_absolute()) {
        Some(base) => PathBuf::from(base),
        None => env::home_dir()
            .ok_or("no home folder to keep installed tools in; set XDG_CACHE_HOME to a folder that may be written")?
            .join(".cache"),
    };
    Ok(base.join("vram-ledger"))
}

/// The folder of `tool` at `version`, installed by `install` unless it already is.
///
/// A lock keeps two checkouts from installing the same tool at once. What an interrupted installation left is handed
/// to `install` again, which may go on from there.
pub fn installed(tool: &str, version: &str, install: impl FnOnce(&Path) -> Result) -> Result<PathBuf> {
    let home = home()?;
    let name = format!("{tool}-{version}");
    let folder = home.join(&name);
    if folder.join(MARKER).exists() {
        return Ok(folder);
    }
    fs::create_dir_all(&folder).at("create", &folder)?;

    let lock_path = home.join(format!("{name}.lock"));
    let lock = File::create(&lock_path).at("create", &lock_path)?;
    if lock.try_lock().is_err() {
        say(format!("{name} is being installed by another command; waiting for it"));
        lock.lock().at("lock", &lock_path)?;
        if folder.join(MARKER).exists() {
            return Ok(folder);
        }
    }

    say(format!("installing {tool} {version} into {}", folder.display()));
    let start = Instant::now();
    install(&folder).map_err(|error| format!("{tool} {version} could not be installed: {error}"))?;
    let marker = folder.join(MARKER);
    fs::write(&marker, version).at("write", &marker)?;
    took(format!("{tool} {version}"), start);
    Ok(folder)
}
