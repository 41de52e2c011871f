//! A folder with a configuration that loads the module, and programs that run with it.
#![allow(dead_code)] // Each program of tests uses a part.

use std::fs::Permissions;
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The sections of a configuration that are always the same; the module and the report are put in.
const CONFIGURATION: &str = include_str!("../../openssl.cnf.in");

/// The module that this build has made.
pub fn module() -> PathBuf {
    let program = std::env::current_exe().expect("a program knows where it is");
    let module = program.with_file_name("libmonpro_openssl.so");
    assert!(module.is_file(), "cargo builds the module beside the tests");
    module
}

/// Whether a program is installed. If it is not, a line says so, and with STRICT=1 or CI=true it is a failure.
pub fn is_installed(program: &str, package: &str) -> bool {
    let path = std::env::var("PATH").unwrap_or_default();
    let folders = path.split(':').chain(["/usr/sbin", "/usr/local/sbin", "/sbin"]);
    let is_found = folders.into_iter().any(|folder| Path::new(folder).join(program).is_file());
    let is_set = |name, value| std::env::var(name).is_ok_and(|found| found == value);
    let is_strict = is_set("STRICT", "1") || is_set("CI", "true");
    assert!(is_found || !is_strict, "{program} is not installed: apt-get install {package}");
    if !is_found {
        eprintln!("NOT TESTED: {program} is not installed: apt-get install {package}");
    }
    is_found
}

/// The folder of an installation of OpenSSL that is tested in place of the system's.
pub fn prefix() -> Option<String> {
    std::env::var("MONPRO_OPENSSL_PREFIX").ok()
}

/// Runs the tests of this program, but for the one of this name, with each OpenSSL of MONPRO_OPENSSL_PREFIXES: folders of
/// installations, separated by colons.
pub fn again_with_other_versions(this_test: &str) {
    let prefixes = std::env::var("MONPRO_OPENSSL_PREFIXES").unwrap_or_default();
    if prefixes.is_empty() {
        eprintln!("NOT TESTED: other versions of OpenSSL: name their folders in MONPRO_OPENSSL_PREFIXES");
    }
    for prefix in prefixes.split(':').filter(|prefix| !prefix.is_empty()) {
        let mut command = Command::new(std::env::current_exe().unwrap());
        let output =
            command.args(["--skip", this_test]).env("MONPRO_OPENSSL_PREFIX", prefix).output().unwrap();
        assert!(output.status.success(), "{prefix}: {}", String::from_utf8_lossy(&output.stdout));
    }
}

/// What processes have reported at their end.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub own: u64,
    pub together: u64,
    pub handed_on: u64,
}

/// A folder of its own for each value, with the configuration monpro.cnf.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("monpro-openssl-{}-{number}", std::process::id()));
        std::fs::create_dir(&path).expect("the folder is new");
        let folder = Folder(path);
        folder.write("monpro.cnf", &folder.configuration());
        folder.write("none.cnf", "");
        folder
    }

    /// The configuration that is installed, with a file for counts.
    pub fn configuration(&self) -> String {
        let module = module().display().to_string();
        let report = format!("activate = 1\nreport = {}\n", self.0.join("report").display());
        let text = CONFIGURATION.replace("@MODULE@", &module);
        let (before, after) = text.rsplit_once("activate = 1\n").expect("monpro's section is the last");
        format!("{before}{report}{after}")
    }

    pub fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).expect("the folder can be written");
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// A command that runs in the folder with this configuration.
    pub fn command_with(&self, configuration: &str, program: &str) -> Command {
        let mut command = match prefix() {
            Some(prefix) if program == "openssl" => {
                let mut command = Command::new(format!("{prefix}/bin/openssl"));
                command.env("LD_LIBRARY_PATH", format!("{prefix}/lib"));
                command
            }
            _ => Command::new(program),
        };
        command.current_dir(&self.0).env("OPENSSL_CONF", self.path(configuration));
        command
    }

    /// A command that runs in the folder with monpro.
    pub fn command(&self, program: &str) -> Command {
        self.command_with("monpro.cnf", program)
    }

    /// Runs openssl with monpro; the arguments have no spaces in them.
    pub fn openssl(&self, arguments: &str) -> Output {
        self.command("openssl").args(arguments.split_whitespace()).output().expect("openssl is installed")
    }

    /// Runs openssl with the default provider alone.
    pub fn default(&self, arguments: &str) -> Output {
        let mut command = self.command_with("none.cnf", "openssl");
        command.args(arguments.split_whitespace()).output().expect("openssl is installed")
    }

    /// The counts of all processes that ended since the last call.
    pub fn counts(&self) -> Counts {
        let text = std::fs::read_to_string(self.0.join("report")).unwrap_or_default();
        let _ = std::fs::remove_file(self.0.join("report"));
        let mut counts = Counts::default();
        for line in text.lines() {
            let (_, line) = line.split_once(": ").expect("the process comes first");
            let numbers = line.split(' ').filter_map(|word| word.parse::<u64>().ok());
            let [own, together, handed_on] = numbers.collect::<Vec<_>>()[..] else { panic!("{line}") };
            counts.own += own;
            counts.together += together;
            counts.handed_on += handed_on;
        }
        counts
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed is left for whoever tidies the folder of temporary files.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What a command printed; it must have succeeded.
pub fn succeeded(output: Output, what: &str) -> String {
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{what}: {told}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A folder with the program, built with these options; None if OpenSSL's headers or a compiler are missing.
pub fn with_evp(options: &[&str]) -> Option<Folder> {
    if !is_installed("cc", "gcc") {
        return None;
    }
    let folder = Folder::new();
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/evp.c");
    let mut command = Command::new("cc");
    command.args(["-O1", "-g", "-Wall", "-Wextra", "-Werror", source, "-o", &folder.path("evp")]);
    if let Some(prefix) = prefix() {
        command.args([
            format!("-I{prefix}/include"),
            format!("-L{prefix}/lib"),
            format!("-Wl,-rpath,{prefix}/lib"),
        ]);
    }
    let output = command.args(options).args(["-lcrypto", "-lpthread"]).output().unwrap();
    if String::from_utf8_lossy(&output.stderr).contains("openssl/err.h: No such file") {
        let _ = is_installed("the headers of OpenSSL", "libssl-dev");
        return None;
    }
    succeeded(output, "cc");
    succeeded(folder.default("genrsa -out key.pem 2048"), "genrsa");
    Some(folder)
}

/// Runs the program of [`with_evp`] with monpro.
pub fn run_evp(folder: &Folder, arguments: &str) -> Output {
    folder.command("./evp").args(arguments.split(' ')).output().unwrap()
}

/// How long a server may take to begin or to end.
const PATIENCE: Duration = Duration::from_secs(30);

/// A port of the loopback that nobody uses.
pub fn free_port() -> u16 {
    TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port()
}

/// A process that is ended, and waited for, when it is dropped.
pub struct Running {
    pub child: Child,
    pub port: u16,
    ending: &'static str,
}

impl Running {
    pub fn spawn(mut command: Command, port: u16, ending: &'static str) -> Running {
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let mut running = Running { child, port, ending };
        let begin = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(running.child.try_wait().unwrap().is_none(), "{command:?} has ended");
            assert!(begin.elapsed() < PATIENCE, "{command:?} does not listen");
            sleep(Duration::from_millis(20));
        }
        running
    }

    pub fn send(&self, signal: &str) {
        let process = self.child.id().to_string();
        assert!(Command::new("kill").args([signal, &process]).status().unwrap().success());
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.child.try_wait().is_ok_and(|status| status.is_none()) {
            self.send(self.ending);
        }
        let begin = Instant::now();
        while self.child.try_wait().is_ok_and(|status| status.is_none()) {
            if begin.elapsed() > PATIENCE {
                let _ = self.child.kill();
            }
            sleep(Duration::from_millis(20));
        }
    }
}

/// A folder with a key and a certificate of it, which processes of other users may read and report to.
pub fn certified(key: &str) -> Folder {
    let folder = Folder::new();
    succeeded(folder.default(&format!("genpkey {key} -out key.pem")), key);
    let certify = "req -x509 -key key.pem -out certificate.pem -days 2 -subj /CN=localhost -addext \
                   subjectAltName=DNS:localhost,IP:127.0.0.1";
    succeeded(folder.default(certify), certify);
    folder.write(
        "both.pem",
        &String::from_utf8([folder.read("certificate.pem"), folder.read("key.pem")].concat()).unwrap(),
    );
    std::fs::create_dir(folder.path("documents")).unwrap();
    folder.write("documents/index.html", "hello");
    folder.write("report", "");
    for (name, mode) in [("report", 0o666), ("", 0o777)] {
        std::fs::set_permissions(folder.path(name), Permissions::from_mode(mode)).unwrap();
    }
    folder
}

/// Shakes hands by OpenSSL's client with this configuration, verifies the certificate, and returns what the client tells.
pub fn shake(folder: &Folder, configuration: &str, port: u16, options: &str) -> String {
    let connect = format!(
        "s_client -connect 127.0.0.1:{port} -verify_return_error -CAfile certificate.pem -verify_ip 127.0.0.1 {options}"
    );
    let mut command = folder.command_with(configuration, "openssl");
    let told =
        succeeded(command.args(connect.split_whitespace()).stdin(Stdio::null()).output().unwrap(), &connect);
    assert!(told.contains("Verify return code: 0 (ok)"), "{told}");
    told
}
