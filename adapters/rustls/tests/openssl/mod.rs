//! OpenSSL's command, in a folder that is removed afterwards.

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A folder of its own for each value.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("monpro-rustls-{}-{number}", std::process::id()));
        std::fs::create_dir(&path).expect("the folder is new");
        Folder(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Runs the command in the folder; it must succeed. Returns what it prints.
    pub fn openssl(&self, arguments: &str) -> String {
        let command =
            Command::new("openssl").args(arguments.split_whitespace()).current_dir(&self.0).output();
        let output = command.expect("openssl is installed");
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "openssl {arguments}: {told}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// The private key of a file in PEM.
    pub fn key(&self, name: &str) -> PrivateKeyDer<'static> {
        PrivateKeyDer::from_pem_file(self.0.join(name)).expect("openssl has written a key")
    }

    /// Makes a key and a certificate of it for localhost: key.pem and certificate.pem.
    #[allow(dead_code)] // Of two programs of tests, one.
    pub fn certify(&self, kind: &str) -> (Vec<CertificateDer<'static>>, PrivateKeyDer<'static>) {
        self.openssl(&format!(
            "req -x509 -newkey {kind} -nodes -keyout key.pem -out certificate.pem -days 2 -subj /CN=localhost \
             -addext subjectAltName=DNS:localhost -addext basicConstraints=critical,CA:FALSE"
        ));
        let certificate = CertificateDer::from_pem_file(self.0.join("certificate.pem"));
        (vec![certificate.expect("openssl has written a certificate")], self.key("key.pem"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed is left for whoever tidies the folder of temporary files.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
