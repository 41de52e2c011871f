//! Servers of Debian with monpro, on free ports of the loopback: handshakes of clients that have the default provider.

mod support;

use std::process::Command;
use std::thread::{scope, sleep};
use std::time::Duration;
use support::{Counts, Folder, Running, certified, free_port, is_installed, shake, succeeded};

/// A server of the table: its program, its package, its configuration with PORT and FOLDER in it, and its arguments.
struct Server {
    program: &'static str,
    package: &'static str,
    configuration: &'static str,
    arguments: &'static str,
    /// What is sent to the process to end it.
    ending: &'static str,
}

const SERVERS: [Server; 4] = [
    Server {
        program: "nginx",
        package: "nginx-light",
        configuration: "
            daemon off; USER worker_processes 2; pid FOLDER/pid; error_log FOLDER/log;
            events { worker_connections 100; }
            http {
                access_log off; client_body_temp_path FOLDER/a; proxy_temp_path FOLDER/b; fastcgi_temp_path FOLDER/c;
                uwsgi_temp_path FOLDER/d; scgi_temp_path FOLDER/e; ssl_session_cache off; ssl_session_tickets off;
                server {
                    listen 127.0.0.1:PORT ssl; ssl_protocols TLSv1.2 TLSv1.3;
                    ssl_certificate FOLDER/certificate.pem; ssl_certificate_key FOLDER/key.pem;
                    location / { return 200 hello; }
                }
            }",
        arguments: "-c FOLDER/server.conf -e FOLDER/log",
        ending: "-QUIT",
    },
    Server {
        program: "apache2",
        package: "apache2",
        configuration: "
            ServerRoot FOLDER
            ServerName localhost
            PidFile FOLDER/pid
            ErrorLog FOLDER/log
            DefaultRuntimeDir FOLDER
            APACHEUSER
            LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so
            LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
            LoadModule dir_module /usr/lib/apache2/modules/mod_dir.so
            LoadModule ssl_module /usr/lib/apache2/modules/mod_ssl.so
            Listen 127.0.0.1:PORT
            DocumentRoot FOLDER/documents
            SSLEngine on
            SSLSessionCache none
            SSLSessionTickets off
            SSLCertificateFile FOLDER/certificate.pem
            SSLCertificateKeyFile FOLDER/key.pem
        ",
        arguments: "-f FOLDER/server.conf -X",
        ending: "-TERM",
    },
    Server {
        program: "haproxy",
        package: "haproxy",
        configuration: "
global
    nbthread 2
    tune.ssl.cachesize 0
defaults
    mode http
    timeout client 10s
    timeout server 10s
    timeout connect 10s
frontend tls
    bind 127.0.0.1:PORT ssl crt FOLDER/both.pem ssl-min-ver TLSv1.2 no-tls-tickets
    http-request return status 200 content-type text/plain string hello
",
        arguments: "-db -f FOLDER/server.conf",
        ending: "-USR1",
    },
    Server {
        program: "stunnel4",
        package: "stunnel4",
        configuration: "
foreground = yes
pid =
sessionCacheSize = 1
[tls]
accept = 127.0.0.1:PORT
cert = FOLDER/certificate.pem
key = FOLDER/key.pem
exec = /bin/cat
execArgs = cat
",
        arguments: "FOLDER/server.conf",
        ending: "-TERM",
    },
];

/// Asks for a page, by curl.
fn page(folder: &Folder, port: u16, options: &[&str]) -> String {
    let mut command = folder.command_with("none.cnf", "curl");
    command
        .args(["--silent", "--show-error", "--max-time", "20", "--cacert", "certificate.pem"])
        .args(options);
    succeeded(command.arg(format!("https://127.0.0.1:{port}/")).output().unwrap(), "curl")
}

/// Asks for a page, by Python.
fn page_by_python(folder: &Folder, port: u16) -> String {
    let script = format!(
        "import ssl, urllib.request as r\n\
         c = ssl.create_default_context(cafile='certificate.pem')\n\
         print(r.urlopen('https://127.0.0.1:{port}/', context=c, timeout=20).read().decode())"
    );
    let mut command = folder.command_with("none.cnf", "python3");
    succeeded(command.args(["-c", &script]).output().unwrap(), "python3")
}

fn start(server: &Server, folder: &Folder) -> Running {
    let port = free_port();
    let is_root = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    let [user, apache_user] = if is_root { ["user root;", "User www-data\nGroup www-data"] } else { [""; 2] };
    let fill = |text: &str| {
        let text = text.replace("APACHEUSER", apache_user).replace("USER", user);
        text.replace("PORT", &port.to_string()).replace("FOLDER", folder.path("").trim_end_matches('/'))
    };
    folder.write("server.conf", &fill(server.configuration));
    let path = format!("{}:/usr/sbin:/sbin", std::env::var("PATH").unwrap());
    let mut command = folder.command(server.program);
    command.env("PATH", path).args(fill(server.arguments).split_whitespace());
    Running::spawn(command, port, server.ending)
}

fn rsa(bits: usize) -> String {
    format!("-algorithm RSA -pkeyopt rsa_keygen_bits:{bits}")
}

#[test]
fn servers_shake_hands_by_monpro() {
    for server in SERVERS.iter().filter(|server| is_installed(server.program, server.package)) {
        for bits in [2048, 3072, 4096] {
            let folder = certified(&rsa(bits));
            let running = start(server, &folder);
            for options in ["-tls1_3", "-tls1_2", "-tls1_2 -cipher AES128-GCM-SHA256"] {
                shake(&folder, "none.cnf", running.port, options);
            }
            let mut handshakes = 3;
            let serves_pages = bits == 2048 && server.program != "stunnel4";
            if serves_pages && is_installed("curl", "curl") {
                assert_eq!(page(&folder, running.port, &["--tlsv1.3"]).trim(), "hello", "{}", server.program);
                handshakes += 1;
            }
            if serves_pages && is_installed("python3", "python3") {
                assert_eq!(page_by_python(&folder, running.port).trim(), "hello", "{}", server.program);
                handshakes += 1;
            }
            let maps = std::fs::read_to_string(format!("/proc/{}/maps", running.child.id())).unwrap();
            assert!(maps.contains("libmonpro_openssl.so"), "{}", server.program);
            drop(running);
            let counts = folder.counts();
            // stunnel ends without OpenSSL's end, so that nothing is reported.
            let is_reported = server.program == "stunnel4" || counts.own >= handshakes;
            assert!(is_reported && counts.handed_on == 0, "{} {bits}: {counts:?}", server.program);
        }
    }
}

#[test]
fn certificates_of_pss_keys_serve() {
    for server in SERVERS.iter().filter(|server| is_installed(server.program, server.package)) {
        let restriction = "-pkeyopt rsa_pss_keygen_md:sha256 -pkeyopt rsa_pss_keygen_mgf1_md:sha256 -pkeyopt \
                           rsa_pss_keygen_saltlen:32";
        for restriction in ["", restriction] {
            let folder =
                certified(&format!("-algorithm RSA-PSS -pkeyopt rsa_keygen_bits:2048 {restriction}"));
            let running = start(server, &folder);
            for options in ["-tls1_3", "-tls1_2"] {
                shake(&folder, "none.cnf", running.port, options);
            }
            drop(running);
            let counts = folder.counts();
            // stunnel ends without OpenSSL's end, so that nothing is reported.
            let is_reported = server.program == "stunnel4" || counts.own >= 2;
            assert!(is_reported && counts.handed_on == 0, "{} {restriction}: {counts:?}", server.program);
        }
    }
}

#[test]
fn openssl_serves_and_asks_for_certificates() {
    let folder = certified(&rsa(2048));
    let port = free_port();
    let mut command = folder.command("openssl");
    let port_text = port.to_string();
    command.args(["s_server", "-accept", &port_text, "-key", "key.pem", "-cert", "certificate.pem"]);
    command.args(["-Verify", "1", "-verify_return_error", "-CAfile", "certificate.pem", "-www"]);
    let running = Running::spawn(command, port, "-TERM");
    for options in ["-tls1_3", "-tls1_2", "-tls1_2 -cipher AES128-SHA256"] {
        let connect = format!(
            "s_client -connect 127.0.0.1:{port} -key key.pem -cert certificate.pem -CAfile certificate.pem {options}"
        );
        // The client signs by monpro, too.
        let told = succeeded(folder.openssl(&connect), &connect);
        assert!(told.contains("Verify return code: 0 (ok)"), "{told}");
    }
    drop(running);
    // The server ends by a signal, and reports nothing.
    assert_eq!(folder.counts(), Counts { own: 3, together: 0, handed_on: 0 });
}

#[test]
fn pythons_servers_sign_by_monpro() {
    if !is_installed("python3", "python3") {
        return;
    }
    let folder = certified(&rsa(3072));
    let script = "
import socket, ssl, threading
server, client = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.create_default_context(cafile='certificate.pem')
server.load_cert_chain('certificate.pem', 'key.pem')
def serve(plain):
    with server.wrap_socket(plain, server_side=True) as tls:
        tls.sendall(tls.recv(100))
for _ in range(5):
    one, other = socket.socketpair()
    thread = threading.Thread(target=serve, args=(one,))
    thread.start()
    with client.wrap_socket(other, server_hostname='localhost') as tls:
        tls.sendall(b'hello')
        assert tls.recv(100) == b'hello'
    thread.join(20)
";
    succeeded(folder.command("python3").args(["-c", script]).output().unwrap(), "python3");
    assert_eq!(folder.counts(), Counts { own: 5, together: 0, handed_on: 0 });
}

#[test]
fn reloads_under_load_lose_no_handshake() {
    let nginx = &SERVERS[0];
    if !is_installed(nginx.program, nginx.package) || !is_installed("curl", "curl") {
        return;
    }
    let folder = certified(&rsa(2048));
    let running = start(nginx, &folder);
    scope(|threads| {
        for options in [["--tlsv1.2", "--tls-max", "1.2"], ["--tlsv1.3", "--tls-max", "1.3"]] {
            let (folder, running) = (&folder, &running);
            threads.spawn(move || {
                for _ in 0..60 {
                    assert_eq!(page(folder, running.port, &options), "hello");
                }
            });
        }
        for _ in 0..8 {
            sleep(Duration::from_millis(200));
            running.send("-HUP");
        }
    });
    drop(running);
    let counts = folder.counts();
    assert!(counts.own >= 120 && counts.handed_on == 0, "{counts:?}");
}
