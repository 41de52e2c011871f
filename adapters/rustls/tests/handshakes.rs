//! Handshakes of TLS 1.2 and 1.3 with OpenSSL's own client and server, on the loopback.

mod openssl;

use monpro_rustls::with_rsa;
use openssl::Folder;
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, ServerConfig, ServerConnection, Stream};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(20);

fn provider() -> Arc<CryptoProvider> {
    with_rsa(ring::default_provider()).into()
}

/// A process that does not outlive the test.
struct Process(Option<Child>);

impl Process {
    fn start(folder: &Folder, arguments: &str) -> Process {
        let mut command = Command::new("openssl");
        command.args(arguments.split_whitespace()).current_dir(folder.path());
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Process(Some(piped.spawn().expect("openssl is installed")))
    }

    fn child(&mut self) -> &mut Child {
        self.0.as_mut().expect("it has not been waited for")
    }

    /// Waits until it ends by itself, and stops it where it does not.
    fn end(mut self) -> Output {
        let until = Instant::now() + PATIENCE;
        let mut child = self.0.take().expect("it has not been waited for");
        while child.try_wait().expect("it is a child").is_none() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
        }
        // Where it has ended, nothing happens.
        let _ = child.kill();
        child.wait_with_output().expect("it is a child")
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// The next connection, if it comes in time.
fn accept(listener: &TcpListener) -> TcpStream {
    listener.set_nonblocking(true).unwrap();
    let until = Instant::now() + PATIENCE;
    loop {
        match listener.accept() {
            Ok((stream, _)) => {
                stream.set_nonblocking(false).unwrap();
                return patient(stream);
            }
            Err(error) => assert!(Instant::now() < until, "no client: {error}"),
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn patient(stream: TcpStream) -> TcpStream {
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.set_write_timeout(Some(PATIENCE)).unwrap();
    stream
}

/// Reads a line, answers it in capitals, and says good-bye.
fn converse(connection: &mut ServerConnection, stream: &mut TcpStream) -> std::io::Result<()> {
    let mut line = String::new();
    BufReader::new(Stream::new(connection, stream)).read_line(&mut line)?;
    Stream::new(connection, stream).write_all(line.to_uppercase().as_bytes())?;
    connection.send_close_notify();
    while connection.wants_write() {
        connection.write_tls(stream)?;
    }
    Ok(())
}

/// A handshake of a server with a key of monpro's and `openssl s_client`; returns how the server saw it and what the
/// client printed.
fn serve(
    folder: &Folder,
    (chain, key): &(Vec<CertificateDer<'static>>, PrivateKeyDer<'static>),
    options: &str,
) -> (std::io::Result<()>, String) {
    let config =
        ServerConfig::builder_with_provider(provider()).with_safe_default_protocol_versions().unwrap();
    let config = config.with_no_client_auth().with_single_cert(chain.clone(), key.clone_key()).unwrap();
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let client = format!(
        "s_client -connect 127.0.0.1:{port} -CAfile certificate.pem -verify_return_error -verify_hostname localhost \
         -servername localhost {options}"
    );
    let mut client = Process::start(folder, &client);
    let mut stream = accept(&listener);
    let mut connection = ServerConnection::new(config.into()).unwrap();
    client.child().stdin.as_mut().unwrap().write_all(b"hello\n").unwrap();
    let seen = converse(&mut connection, &mut stream);
    drop(stream);
    let printed = client.end();
    (seen, String::from_utf8_lossy(&printed.stdout).into_owned())
}

/// That the handshake went well, with a signature of this kind.
fn assert_signed((seen, printed): (std::io::Result<()>, String), version: &str, kind: &str, digest: &str) {
    seen.unwrap_or_else(|error| panic!("{version}, {kind}, {digest}: {error}\n{printed}"));
    let lines = [
        format!("New, {version}, Cipher is"),
        "Verification: OK".to_owned(),
        format!("Peer signature type: {kind}"),
        format!("Peer signing digest: {digest}"),
        "HELLO".to_owned(),
    ];
    for line in lines {
        assert!(printed.contains(&line), "{line} is missing in:\n{printed}");
    }
}

#[test]
fn every_scheme_serves_openssl() {
    let folder = Folder::new();
    let identity = folder.certify("rsa:2048");
    for digest in ["SHA256", "SHA384", "SHA512"] {
        let small = digest.to_lowercase();
        let pss = format!("-sigalgs rsa_pss_rsae_{small}");
        assert_signed(serve(&folder, &identity, &format!("-tls1_3 {pss}")), "TLSv1.3", "RSA-PSS", digest);
        assert_signed(serve(&folder, &identity, &format!("-tls1_2 {pss}")), "TLSv1.2", "RSA-PSS", digest);
        let pkcs1 = format!("-tls1_2 -sigalgs rsa_pkcs1_{small}");
        assert_signed(serve(&folder, &identity, &pkcs1), "TLSv1.2", "RSA", digest);
    }
}

#[test]
fn longer_keys_serve_openssl() {
    let folder = Folder::new();
    for bits in [3072, 4096] {
        let identity = folder.certify(&format!("rsa:{bits}"));
        for (option, version) in [("-tls1_2", "TLSv1.2"), ("-tls1_3", "TLSv1.3")] {
            let (seen, printed) = serve(&folder, &identity, option);
            assert!(printed.contains(&format!("Server public key is {bits} bit")), "{printed}");
            assert_signed((seen, printed), version, "RSA-PSS", "SHA512");
        }
    }
}

#[test]
fn a_client_that_offers_nothing_suitable_is_refused() {
    let folder = Folder::new();
    let identity = folder.certify("rsa:2048");
    // TLS 1.3 has no signatures of PKCS#1 v1.5 in handshakes.
    let (seen, _) = serve(&folder, &identity, "-tls1_3 -sigalgs rsa_pkcs1_sha256");
    assert!(seen.is_err());
    let (seen, _) = serve(&folder, &identity, "-tls1_2 -cipher ECDHE-ECDSA-AES128-GCM-SHA256");
    assert!(seen.is_err());
}

/// A client with a certificate, before `openssl s_server`, which asks for it and verifies its signature.
#[test]
fn clients_sign_for_openssl() {
    let folder = Folder::new();
    let (chain, key) = folder.certify("rsa:2048");
    for version in ["-tls1_2", "-tls1_3"] {
        let server = format!(
            "s_server -accept 127.0.0.1:0 -cert certificate.pem -key key.pem -CAfile certificate.pem -naccept 1 \
             -Verify 1 -verify_return_error -rev {version}"
        );
        let mut server = Process::start(&folder, &server);
        let mut printed = BufReader::new(server.child().stdout.take().unwrap());
        let address = printed
            .by_ref()
            .lines()
            .map_while(Result::ok)
            .find_map(|line| line.strip_prefix("ACCEPT ").map(str::to_owned));
        let mut roots = RootCertStore::empty();
        roots.add(chain[0].clone()).unwrap();
        let config =
            ClientConfig::builder_with_provider(provider()).with_safe_default_protocol_versions().unwrap();
        let config = config
            .with_root_certificates(roots)
            .with_client_auth_cert(chain.clone(), key.clone_key())
            .unwrap();
        let name = ServerName::try_from("localhost").unwrap();
        let mut connection = ClientConnection::new(config.into(), name).unwrap();
        let mut stream = patient(TcpStream::connect(address.expect("it says where it listens")).unwrap());
        let mut line = String::new();
        Stream::new(&mut connection, &mut stream).write_all(b"olleh\n").unwrap();
        BufReader::new(Stream::new(&mut connection, &mut stream)).read_line(&mut line).unwrap();
        assert_eq!(line, "hello\n", "{version}");
    }
}
