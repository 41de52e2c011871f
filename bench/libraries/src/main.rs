//! Builds the newest OpenSSL and AWS-LC into `bench/target/libraries`, where the benchmark finds them.
//!
//! Each has a folder with `include/` and `lib/libcrypto.a`. The benchmark's programs in C are linked to one of them, so
//! that the libraries, which share the names of most functions, never meet in one process.

use aws_lc_sys as _;
use std::fs;
use std::io;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let bench = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("libraries/ lies in bench/");
    let folder = bench.join("target/libraries");
    match install_aws_lc(&folder.join("aws-lc")).and_then(|()| install_openssl(&folder.join("openssl"))) {
        Ok(()) => {
            println!("built: {}", folder.display());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("bench-libraries: {}: {error}", folder.display());
            ExitCode::FAILURE
        }
    }
}

/// Copies what the build script of aws-lc-sys has built.
fn install_aws_lc(folder: &Path) -> io::Result<()> {
    replace(folder)?;
    copy(Path::new(env!("AWS_LC_HEADERS")), &folder.join("include"))?;
    fs::create_dir(folder.join("lib"))?;
    fs::copy(env!("AWS_LC_LIBRARY"), folder.join("lib").join("libcrypto.a")).map(|_| ())
}

/// Compiles OpenSSL, unless it was compiled before from the same sources.
fn install_openssl(folder: &Path) -> io::Result<()> {
    let mark = folder.join("built-from");
    if fs::read_to_string(&mark).is_ok_and(|version| version == openssl_src::version()) {
        return Ok(());
    }
    replace(folder)?;
    let made = folder.join("made");
    let mut build = openssl_src::Build::new();
    let built = build.out_dir(&made).host(env!("HOST")).target(env!("TARGET")).try_build();
    let built = built.map_err(io::Error::other)?;
    copy(built.include_dir(), &folder.join("include"))?;
    copy(built.lib_dir(), &folder.join("lib"))?;
    fs::remove_dir_all(made)?;
    fs::write(mark, openssl_src::version())
}

/// Makes an empty folder, whatever was there.
fn replace(folder: &Path) -> io::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)
}

/// Copies a folder with all that is in it.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        match fs::metadata(entry.path())?.is_dir() {
            true => copy(&entry.path(), &target)?,
            false => fs::copy(entry.path(), target).map(|_| ())?,
        }
    }
    Ok(())
}
