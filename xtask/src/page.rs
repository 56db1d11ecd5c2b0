//! Building and serving the page with Trunk.

use crate::{
    Result,
    shell::{path_with, run, say},
    tools,
};
use std::{
    env,
    net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    process::Command,
    thread,
    time::Duration,
};

/// Builds the static page into `dist/`.
pub fn build() -> Result {
    let mut trunk = trunk()?;
    say("building the page");
    run(trunk.arg("build"))?;
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
    let mut server = trunk.spawn().map_err(|error| format!("Trunk cannot be run: {error}"))?;

    // Trunk listens from the end of the first build on.
    let mut announced = false;
    loop {
        let status = server.try_wait().map_err(|error| format!("Trunk cannot be waited for: {error}"))?;
        if let Some(status) = status {
            return if status.success() { Ok(()) } else { Err(format!("Trunk ended with {status}")) };
        }
        if !announced && TcpStream::connect(reachable(address)).is_ok() {
            say(format!("VRAM Ledger is at http://{}/ (Ctrl-C stops it)", reachable(address)));
            announced = true;
        }
        thread::sleep(Duration::from_millis(200));
    }
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
