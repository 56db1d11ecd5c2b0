//! Building and serving the page with Trunk.

use crate::{
    Result,
    shell::{path_with, run, say, took},
    tools,
};
use std::{
    env,
    net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    process::Command,
    thread,
    time::{Duration, Instant},
};

/// Builds the static page into `dist/`.
pub fn build() -> Result {
    let mut trunk = trunk()?;
    say("building the page");
    let start = Instant::now();
    run(trunk.arg("build"))?;
    took("the page", start);
    say("the page is in dist/: static files for any folder of any web server");
    Ok(())
}

/// Where to serve.
pub struct ServeOptions {
    address: IpAddr,
    port: u16,
}

impl ServeOptions {
    /// Reads the options of `cargo xtask serve`.
    pub fn parse(arguments: &[&str]) -> Result<Self> {
        let mut options = Self { address: Ipv4Addr::LOCALHOST.into(), port: 8080 };
        let mut words = arguments.iter().flat_map(|argument| match argument.split_once('=') {
            Some((name, value)) => vec![name, value],
            None => vec![*argument],
        });
        while let Some(name) = words.next() {
            let value = words.next();
            match (name, value) {
                ("--port", Some(port)) => {
                    options.port =
                        port.parse().map_err(|_| format!("--port takes a number from 1 to 65535, not {port}"))?;
                }
                ("--address", Some(address)) => {
                    options.address =
                        address.parse().map_err(|_| format!("--address takes an IP address, not {address}"))?;
                }
                ("--port" | "--address", None) => return Err(format!("{name} needs a value")),
                _ => return Err(format!("unknown option {name}; serve takes --port N and --address IP")),
            }
        }
        Ok(options)
    }
}

/// Builds the page, serves it and says where; builds it again on every change until it is stopped.
pub fn serve(options: &ServeOptions) -> Result {
    let address = SocketAddr::new(options.address, options.port);
    // Asked before the build, which takes longer than anybody wants to wait for a refusal.
    drop(TcpListener::bind(address).map_err(|error| {
        format!("{address} cannot be listened on ({error}); choose another with --port, for example --port 8081")
    })?);

    let mut trunk = trunk()?;
    say("building the page; it is served once that is done");
    trunk.args(["serve", "--address", &options.address.to_string(), "--port", &options.port.to_string()]);

    // Trunk takes this process's place, so that stopping the one stops the other; a second process waits for it.
    let itself = env::current_exe().map_err(|error| format!("this program's own path is unknown: {error}"))?;
    let announcer = Command::new(itself).args(["announce", &address.to_string()]).spawn();
    announcer.map_err(|error| format!("the address cannot be announced: {error}"))?;
    become_program(&mut trunk)
}

#[cfg(unix)]
fn become_program(program: &mut Command) -> Result {
    use std::os::unix::process::CommandExt;
    Err(format!("Trunk cannot be run: {}", program.exec()))
}

#[cfg(not(unix))]
fn become_program(program: &mut Command) -> Result {
    run(program)
}

/// Prints the page's address as soon as the server that started this process listens there.
pub fn announce(address: &str) -> Result {
    let address = address.parse().map(reachable).map_err(|_| format!("{address} is no address"))?;
    #[cfg(unix)]
    let server = std::os::unix::process::parent_id();
    let start = Instant::now();
    // Trunk listens from the end of the first build on.
    while TcpStream::connect(address).is_err() {
        thread::sleep(Duration::from_millis(200));
        #[cfg(unix)]
        if std::os::unix::process::parent_id() != server {
            return Ok(());
        }
    }
    took("the page", start);
    say(format!("VRAM Ledger is at http://{address}/ (Ctrl-C stops it)"));
    Ok(())
}

/// Where a server that listens on `address` is found from this machine.
fn reachable(address: SocketAddr) -> SocketAddr {
    match address.ip() {
        ip if !ip.is_unspecified() => address,
        IpAddr::V4(_) => SocketAddr::new(Ipv4Addr::LOCALHOST.into(), address.port()),
        IpAddr::V6(_) => SocketAddr::new(std::net::Ipv6Addr::LOCALHOST.into(), address.port()),
    }
}

/// Trunk with everything it calls on PATH.
fn trunk() -> Result<Command> {
    let folders = tools::for_building()?;
    let mut trunk = Command::new("trunk");
    trunk.env("PATH", path_with(&folders)?).env("TRUNK_SKIP_VERSION_CHECK", "true");
    tools::without_own_folders(&mut trunk);
    // Trunk reads NO_COLOR as true or false and refuses the usual 1.
    if env::var_os("NO_COLOR").is_some() {
        trunk.env("NO_COLOR", "true");
    }
    Ok(trunk)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_in_both_spellings() {
        let options = ServeOptions::parse(&["--port=9000", "--address", "0.0.0.0"]).expect("valid options");
        assert_eq!((options.port, options.address.to_string().as_str()), (9000, "0.0.0.0"));
        assert_eq!(reachable(SocketAddr::new(options.address, options.port)).to_string(), "127.0.0.1:9000");
    }

    #[test]
    fn refusals_name_what_is_wrong() {
        let refusal = |arguments: &[&str]| ServeOptions::parse(arguments).err().expect("a refusal");
        assert!(refusal(&["--port", "eighty"]).contains("eighty"));
        assert!(refusal(&["--port"]).contains("needs a value"));
        assert!(refusal(&["--open"]).contains("--open"));
    }
}
