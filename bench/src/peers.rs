//! Libraries in other languages: small programs of our own in `bench/peers`, each a contender that times
//! itself. Every run compiles them for the installed libraries; a missing library is reported and does not
//! race.

use crate::contender::{Chain, Contender, Operation};
use crate::operands::Operands;
use num_bigint::BigUint;
use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// One build of one library.
pub struct Peer {
    pub library: &'static str,
    pub engine: String,
    pub version: String,
    program: PathBuf,
}

impl Peer {
    /// The library with its program, compiled with these flags; None, and a line that says why, if that
    /// fails.
    pub fn find(library: &'static str, engine: &str, source: &str, flags: &[String]) -> Option<Peer> {
        let peer = Peer::build(library, engine, source, flags);
        peer.map_err(|reason| eprintln!("NOT RACED: {library}: {reason}")).ok()
    }

    /// The builds of the library in the folders that the environment variable names, separated by colons. A
    /// folder is where a build was installed; its name becomes the name of the engine.
    pub fn find_built(library: &'static str, variable: &str, source: &str, libraries: &[&str]) -> Vec<Peer> {
        let prefixes = env::var(variable).unwrap_or_default();
        if prefixes.is_empty() {
            eprintln!("NOT RACED: {library} built for this CPU: name its folder in {variable}");
        }
        let of_prefix = |prefix: &str| {
            let name = Path::new(prefix).file_name().map_or("root".into(), |name| name.to_string_lossy());
            let places = [
                format!("-I{prefix}/include"),
                format!("-L{prefix}/lib"),
                format!("-Wl,-rpath,{prefix}/lib"),
            ];
            Peer::find(library, &name, source, &[&places[..], &owned(libraries)].concat())
        };
        prefixes.split(':').filter(|prefix| !prefix.is_empty()).filter_map(of_prefix).collect()
    }

    /// The distribution's library, which the compiler finds by itself.
    pub fn find_packaged(
        library: &'static str,
        engine: &str,
        source: &str,
        libraries: &[&str],
    ) -> Option<Peer> {
        Peer::find(library, engine, source, &owned(libraries))
    }

    fn build(library: &'static str, engine: &str, source: &str, flags: &[String]) -> Result<Peer, String> {
        let program = compile(source, &format!("{library} {engine}").replace(' ', "-"), flags)?;
        let mut command = Command::new(&program);
        command.arg("--version");
        let version = output(command)?.trim().to_owned();
        Ok(Peer { library, engine: engine.to_owned(), version, program })
    }

    /// A contender for each operation that the library can do with these operands.
    pub fn contenders(
        &self,
        operations: &[Operation],
        operands: &Operands,
    ) -> Result<Vec<Contender>, String> {
        let mut contenders = Vec::new();
        for &operation in operations {
            let chain = self.start(operation, operands);
            let chain = chain.map_err(|error| format!("{} {}: {error}", self.library, self.engine))?;
            let of_chain =
                |chain| Contender::of_chain((self.library, &self.engine), operation, Box::new(chain));
            contenders.extend(chain.map(of_chain));
        }
        Ok(contenders)
    }

    fn start(&self, operation: Operation, operands: &Operands) -> Result<Option<Program>, String> {
        let numbers = [&operands.n, &operands.x, &operands.y, &operands.e];
        let mut command = Command::new(&self.program);
        command.arg(operation.name).args(numbers.map(|number| number.to_str_radix(16)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| error.to_string())?;
        let requests = child.stdin.take().expect("it is piped");
        let replies = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut program = Program { child, requests, replies, z: operands.x.clone() };
        match program.reply().map_err(|error| error.to_string())?.as_str() {
            "ready" => Ok(Some(program)),
            "" => Err("its program ended at once".to_owned()),
            _ => Ok(None),
        }
    }
}

/// A running program of a peer.
struct Program {
    child: Child,
    requests: ChildStdin,
    replies: BufReader<ChildStdout>,
    z: BigUint,
}

impl Program {
    fn reply(&mut self) -> std::io::Result<String> {
        let mut line = String::new();
        self.replies.read_line(&mut line)?;
        Ok(line.trim().to_owned())
    }
}

impl Chain for Program {
    fn time_ns(&mut self, steps: u64) -> f64 {
        writeln!(self.requests, "{steps}").expect("the peer reads its requests");
        let reply = self.reply().expect("the peer answers");
        let (time_ns, z) = reply.split_once(' ').expect("an answer is a time and a number");
        self.z = BigUint::parse_bytes(z.as_bytes(), 16).expect("the number is hexadecimal");
        time_ns.parse().expect("the time is a number")
    }

    fn value(&self) -> BigUint {
        self.z.clone()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It waits for a request, so nothing is lost. If it has ended already, there is nothing to do.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn owned(flags: &[&str]) -> Vec<String> {
    flags.iter().map(|&flag| flag.to_owned()).collect()
}

/// Compiles a file of `bench/peers` into a program beside this one. An error is one line.
pub fn compile(source: &str, name: &str, flags: &[String]) -> Result<PathBuf, String> {
    let this = env::current_exe().map_err(|error| error.to_string())?;
    let folder = this.with_file_name("peers");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let program = folder.join(name);
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers").join(source);
    let command = if source.ends_with(".go") {
        let mut go = Command::new("go");
        go.args(["build", "-o"]).arg(&program).arg(file);
        go
    } else {
        let (variable, usual) = if source.ends_with(".cpp") { ("CXX", "c++") } else { ("CC", "cc") };
        let mut compiler = Command::new(env::var(variable).unwrap_or(usual.to_owned()));
        compiler.arg("-O2").arg(file).args(flags).arg("-o").arg(&program);
        compiler
    };
    output(command)?;
    Ok(program)
}

/// What the command prints; if it fails, the first line that says why.
pub fn output(mut command: Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let ended = command.output().map_err(|error| format!("{name}: {error}"))?;
    if ended.status.success() {
        return Ok(String::from_utf8_lossy(&ended.stdout).into_owned());
    }
    let complaints = String::from_utf8_lossy(&ended.stderr).into_owned();
    let telling = complaints.lines().find(|line| line.contains("error") || line.contains("cannot find"));
    Err(telling.or(complaints.lines().next()).unwrap_or("it fails without a word").to_owned())
}
