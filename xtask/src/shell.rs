//! Running other programs, and finding them.

use crate::Result;
use std::{
    env, fs,
    io::{ErrorKind, IsTerminal},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Instant,
};

/// The checkout this command was built from.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies one folder below the root")
}

/// Says what is being done, so that a slow step never looks like a hanging one.
pub fn say(message: impl AsRef<str>) {
    let message = message.as_ref();
    if std::io::stdout().is_terminal() { println!("\x1b[1m▸ {message}\x1b[0m") } else { println!("▸ {message}") }
}

/// Says how long a step took.
pub fn took(step: impl AsRef<str>, start: Instant) {
    say(format!("{}: {} s", step.as_ref(), start.elapsed().as_secs_f64().ceil()));
}

/// A command as it would be typed, for messages.
fn line(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}

/// Runs a command to its end with its output shown.
pub fn run(command: &mut Command) -> Result {
    let shown = line(command);
    println!("  $ {shown}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{shown}` ended with {status}")),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Err(format!("`{}` is not installed", command.get_program().to_string_lossy()))
        }
        Err(error) => Err(format!("`{shown}` cannot be run: {error}")),
    }
}

/// What a command prints, or nothing where it cannot be run or fails.
pub fn output(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The first version number in what `program --version` prints.
pub fn version_of(program: impl AsRef<Path>) -> Option<String> {
    let printed = output(Command::new(program.as_ref()).arg("--version"))?;
    let word = printed.split_whitespace().find(|word| word.starts_with(|c: char| c.is_ascii_digit()))?;
    Some(word.to_owned())
}

/// The cargo that runs this command.
pub fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// A file on PATH that may be run.
pub fn find_on_path(name: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(name)).find(|file| is_executable(file))
}

/// PATH with these folders before it.
pub fn path_with(folders: &[PathBuf]) -> Result<std::ffi::OsString> {
    let present = env::var_os("PATH").unwrap_or_default();
    env::join_paths(folders.iter().cloned().chain(env::split_paths(&present)))
        .map_err(|error| format!("a tool's folder cannot be put on PATH: {error}"))
}

fn is_executable(file: &Path) -> bool {
    let Ok(metadata) = fs::metadata(file) else { return false };
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        metadata.is_file() && metadata.permissions().mode() & 0o111 != 0
    }
    #[cfg(not(unix))]
    metadata.is_file()
}

/// `fs` calls whose errors name the file.
pub trait AtPath<T> {
    /// Adds what was tried and where to an error.
    fn at(self, action: &str, path: &Path) -> Result<T>;
}

impl<T> AtPath<T> for std::io::Result<T> {
    fn at(self, action: &str, path: &Path) -> Result<T> {
        self.map_err(|error| format!("cannot {action} {}: {error}", path.display()))
    }
}
