//! A folder with a configuration that loads the module, and programs that run with it.
#![allow(dead_code)] // Each program of tests uses a part.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

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
        let mut command = Command::new(program);
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
