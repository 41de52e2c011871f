//! Full handshakes in memory, of which the server's part is timed.

use crate::{Action, processor_time};
use rcgen::{CertificateParams, KeyPair, PKCS_RSA_SHA256};
use rustls::client::Resumption;
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, ServerConfig, ServerConnection};
use rustls::{SideData, SupportedProtocolVersion};
use std::ops::DerefMut;
use std::sync::Arc;
use std::time::Duration;

/// A certificate of the key for localhost, signed by itself.
pub(crate) fn certify(key: &PrivateKeyDer<'static>) -> CertificateDer<'static> {
    let document = PrivatePkcs8KeyDer::from(key.secret_der());
    let key = KeyPair::from_pkcs8_der_and_sign_algo(&document, &PKCS_RSA_SHA256).expect("the key is right");
    let parameters = CertificateParams::new(["localhost".to_owned()]).expect("this is a name");
    parameters.self_signed(&key).expect("the key signs").der().clone()
}

/// A handshake of a server with this provider; the client's is always ring. Nothing is resumed.
pub(crate) fn server(
    provider: CryptoProvider,
    chain: &[CertificateDer<'static>],
    key: &PrivateKeyDer<'static>,
    version: &'static SupportedProtocolVersion,
) -> Action {
    let server = ServerConfig::builder_with_provider(provider.into()).with_protocol_versions(&[version]);
    let server = server.expect("the provider has the version").with_no_client_auth();
    let mut server = server.with_single_cert(chain.to_vec(), key.clone_key()).expect("the key fits");
    server.send_tls13_tickets = 0;
    let mut roots = RootCertStore::empty();
    roots.add(chain[0].clone()).expect("the certificate is right");
    let client = ClientConfig::builder_with_provider(ring::default_provider().into());
    let client = client.with_protocol_versions(&[version]).expect("ring has the version");
    let mut client = client.with_root_certificates(roots).with_no_client_auth();
    client.resumption = Resumption::disabled();
    let (server, client) = (Arc::new(server), Arc::new(client));
    let name = ServerName::try_from("localhost").expect("this is a name");
    Box::new(move || {
        let mut client = ClientConnection::new(client.clone(), name.clone()).expect("the name is right");
        let start = processor_time();
        let mut server = ServerConnection::new(server.clone()).expect("the configuration is right");
        let mut spent = processor_time() - start;
        while client.is_handshaking() || server.is_handshaking() {
            let sent = send(&mut client);
            spent += timed(|| receive(&mut server, &sent));
            let mut answer = Vec::new();
            spent += timed(|| answer = send(&mut server));
            receive(&mut client, &answer);
        }
        spent
    })
}

/// The processor time of this.
fn timed(action: impl FnOnce()) -> Duration {
    let start = processor_time();
    action();
    processor_time() - start
}

/// What a side has to say.
fn send<D: SideData>(side: &mut impl DerefMut<Target = rustls::ConnectionCommon<D>>) -> Vec<u8> {
    let mut octets = Vec::new();
    while side.wants_write() {
        side.write_tls(&mut octets).expect("memory takes all");
    }
    octets
}

/// Lets a side read this.
fn receive<D: SideData>(side: &mut impl DerefMut<Target = rustls::ConnectionCommon<D>>, mut octets: &[u8]) {
    while !octets.is_empty() {
        side.read_tls(&mut octets).expect("memory gives all");
        side.process_new_packets().expect("the other side is right");
    }
}
