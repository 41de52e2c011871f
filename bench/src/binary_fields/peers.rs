//! Libraries in C and C++: small programs of our own, in `bench/peers`, each a contender that times itself. They
//! are compiled at each run for the libraries that are installed; what is missing is said and does not race.

use crate::contender::{Chain, Contender, Operation};
use crate::operands::Operands;
use num_bigint::BigUint;
use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Folders into which NTL was installed from its sources, with colons between them.
const NTL_PREFIXES: &str = "MONPRO_NTL_PREFIXES";

/// One build of one library.
pub struct Peer {
    pub library: &'static str,
    pub engine: String,
    pub version: String,
    program: PathBuf,
}

/// Every library that is installed; a line about each that is not.
pub fn find() -> Vec<Peer> {
    let owned = |flags: &[&str]| flags.iter().map(|&flag| flag.to_owned()).collect::<Vec<_>>();
    let mut wanted =
        vec![("NTL as packaged", "packaged".to_owned(), "ntl.cpp", owned(&["-lntl", "-lgmp", "-lm"]))];
    let prefixes = env::var(NTL_PREFIXES).unwrap_or_default();
    for prefix in prefixes.split(':').filter(|prefix| !prefix.is_empty()) {
        let name = Path::new(prefix).file_name().map_or("root".into(), |name| name.to_string_lossy());
        let places =
            [format!("-I{prefix}/include"), format!("-L{prefix}/lib"), format!("-Wl,-rpath,{prefix}/lib")];
        let libraries = owned(&["-lntl", "-lgf2x", "-lgmp", "-lm"]);
        wanted.push(("NTL", name.into_owned(), "ntl.cpp", [&places[..], &libraries].concat()));
    }
    if prefixes.is_empty() {
        eprintln!("NOT RACED: NTL built for this CPU: name its folder in {NTL_PREFIXES}");
    }
    wanted.push(("OpenSSL", "BN_GF2m".to_owned(), "openssl.c", owned(&["-lcrypto"])));
    let found = wanted.into_iter().filter_map(|(library, engine, source, flags)| {
        let peer = Peer::build(library, engine, source, &flags);
        peer.map_err(|reason| eprintln!("NOT RACED: {library}: {reason}")).ok()
    });
    found.collect()
}

/// The time of one product of 64 by 64 bits on this CPU at its best; none where it has no instruction for it.
pub fn measure_product_ns() -> Option<f64> {
    let program = compile("port.c", "port", &[]).ok()?;
    output(Command::new(program)).ok()?.trim().parse().ok()
}

impl Peer {
    fn build(library: &'static str, engine: String, source: &str, flags: &[String]) -> Result<Peer, String> {
        let program = compile(source, &format!("{library} {engine}").replace(' ', "-"), flags)?;
        let mut command = Command::new(&program);
        command.arg("--version");
        let version = output(command)?.trim().to_owned();
        Ok(Peer { library, engine, version, program })
    }

    /// A contender for each operation for which the library takes the modulus.
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
        // It waits for a request: nothing is lost, and where it has ended already there is nothing to do.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Compiles a file of `bench/peers` into a program beside this one; an error is one line.
fn compile(source: &str, name: &str, flags: &[String]) -> Result<PathBuf, String> {
    let (variable, usual) = if source.ends_with(".cpp") { ("CXX", "c++") } else { ("CC", "cc") };
    let compiler = env::var(variable).unwrap_or(usual.to_owned());
    let this = env::current_exe().map_err(|error| error.to_string())?;
    let folder = this.with_file_name("peers");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let program = folder.join(name);
    let mut command = Command::new(&compiler);
    command.arg("-O2").arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("peers").join(source));
    command.args(flags).arg("-o").arg(&program);
    output(command)?;
    Ok(program)
}

/// What the command prints; where it fails, the first line that tells why.
fn output(mut command: Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let ended = command.output().map_err(|error| format!("{name}: {error}"))?;
    if ended.status.success() {
        return Ok(String::from_utf8_lossy(&ended.stdout).into_owned());
    }
    let complaints = String::from_utf8_lossy(&ended.stderr).into_owned();
    let telling = complaints.lines().find(|line| line.contains("error") || line.contains("cannot find"));
    Err(telling.or(complaints.lines().next()).unwrap_or("it fails without a word").to_owned())
}
