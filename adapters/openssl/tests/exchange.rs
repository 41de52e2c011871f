//! Diffie–Hellman by monpro: the secrets, errors and documents of the default provider, and TLS.

mod support;

use support::{Counts, Folder, Running, certified, free_port, run_evp, shake, succeeded, with_evp};

/// The groups: how OpenSSL makes their parameters.
const GROUPS: [&str; 18] = [
    "DH -pkeyopt group:ffdhe2048",
    "DH -pkeyopt group:ffdhe3072",
    "DH -pkeyopt group:ffdhe4096",
    "DH -pkeyopt group:ffdhe6144",
    "DH -pkeyopt group:ffdhe8192",
    "DH -pkeyopt group:modp_1536",
    "DH -pkeyopt group:modp_2048",
    "DH -pkeyopt group:modp_3072",
    "DH -pkeyopt group:modp_4096",
    "DH -pkeyopt group:modp_6144",
    "DH -pkeyopt group:modp_8192",
    "DH -pkeyopt dh_paramgen_prime_len:512",
    "DH -pkeyopt dh_paramgen_prime_len:515 -pkeyopt dh_paramgen_generator:5",
    "DHX -pkeyopt group:dh_1024_160",
    "DHX -pkeyopt group:dh_2048_224",
    "DHX -pkeyopt group:dh_2048_256",
    "DHX -pkeyopt dh_paramgen_type:1 -pkeyopt dh_paramgen_prime_len:1024 -pkeyopt dh_paramgen_subprime_len:160",
    "DHX -pkeyopt dh_paramgen_type:2 -pkeyopt dh_paramgen_prime_len:2048 -pkeyopt dh_paramgen_subprime_len:256",
];

/// How many octets the private key of a document has.
fn private_octets(folder: &Folder, key: &str) -> usize {
    let text = succeeded(folder.default(&format!("pkey -in {key} -noout -text")), key);
    let (_, text) = text.split_once("private-key:").expect("a private key has its number");
    let (number, _) = text.split_once("public-key:").expect("the public number follows");
    let octets: Vec<&str> = number.split(':').map(str::trim).skip_while(|&octet| octet == "00").collect();
    octets.len()
}

/// Keys that both providers made exchange secrets, both ways and by both.
#[test]
fn every_group_gives_the_secrets_of_the_default_provider() {
    let folder = Folder::new();
    for group in GROUPS {
        succeeded(folder.openssl(&format!("genpkey -genparam -algorithm {group} -out group.pem")), group);
        // Parameters that are read belong to the default provider, which then makes the key.
        let make = match group.contains("group:") {
            true => format!("genpkey -algorithm {group} -out own.pem"),
            false => "genpkey -paramfile group.pem -out own.pem".to_owned(),
        };
        succeeded(folder.openssl(&make), group);
        succeeded(folder.default("genpkey -paramfile group.pem -out other.pem"), group);
        for key in ["own", "other"] {
            succeeded(folder.openssl(&format!("pkey -in {key}.pem -pubout -out {key}-public.pem")), group);
        }
        let _ = folder.counts();
        let secrets: Vec<Vec<u8>> = [("own", "other"), ("other", "own")]
            .into_iter()
            .flat_map(|(key, peer)| {
                // OpenSSL's command has padding for keys of the other kind alone.
                let options = if group.starts_with("DHX") { "" } else { "-pkeyopt dh_pad:1" };
                let derive = format!(
                    "pkeyutl -derive -inkey {key}.pem -peerkey {peer}-public.pem {options} -out secret"
                );
                succeeded(folder.openssl(&derive), group);
                let own = folder.read("secret");
                succeeded(folder.default(&derive), group);
                [own, folder.read("secret")]
            })
            .collect();
        assert!(secrets.iter().all(|secret| *secret == secrets[0] && !secret.is_empty()), "{group}");
        assert_eq!(folder.counts(), Counts { own: 2, together: 0, handed_on: 0 }, "{group}");
        let [own, other] = ["own.pem", "other.pem"].map(|key| private_octets(&folder, key));
        assert!(own.abs_diff(other) <= 2, "{group}: private keys of {own} and {other} octets");
    }
}

#[test]
fn secrets_and_errors_are_those_of_the_default_provider() {
    let Some(folder) = with_evp(&["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]) else {
        return;
    };
    for (group, count) in [(GROUPS[11], 3000), (GROUPS[12], 100), (GROUPS[13], 20), (GROUPS[0], 20)] {
        succeeded(folder.openssl(&format!("genpkey -genparam -algorithm {group} -out group.pem")), group);
        let _ = folder.counts();
        let told = succeeded(run_evp(&folder, &format!("exchange group.pem {count}")), group);
        let told: Vec<u32> = told.split_whitespace().map(|word| word.parse().unwrap()).collect();
        let [shorter, taken, own_bits, default_bits] = told[..] else { panic!("{told:?}") };
        assert!(
            own_bits.abs_diff(default_bits) < 12,
            "{group}: private keys of {own_bits} and {default_bits} bits"
        );
        // One secret of 256 begins with a zero.
        assert!(count < 3000 || shorter > 0, "{shorter}");
        // A small subgroup has none of them; p − 1 is in no group.
        assert!(taken < 39 && (taken > 0 || group.starts_with("DHX")), "{group}: {taken}");
        // A derivation, a short space, no peer, no private key, and four peers of order 1 and 2 are handed on.
        // One key tells a length. A new key of a group with a name is a private operation, too.
        let own = 1 + if group.contains(":ffdhe") { 3 * count + 1 } else { 2 * count };
        assert_eq!(folder.counts(), Counts { own, together: 0, handed_on: 8 }, "{group}");
    }
}

#[test]
fn peers_that_the_default_provider_refuses_are_refused() {
    let folder = Folder::new();
    for (name, group) in [("own", GROUPS[0]), ("other", GROUPS[6]), ("x", GROUPS[14])] {
        succeeded(folder.default(&format!("genpkey -algorithm {group} -out {name}.pem")), group);
        succeeded(folder.default(&format!("pkey -in {name}.pem -pubout -out {name}-public.pem")), group);
    }
    for peer in ["other-public.pem", "x-public.pem"] {
        let derive = format!("pkeyutl -derive -inkey own.pem -peerkey {peer}");
        let told = [folder.openssl(&derive), folder.default(&derive)].map(|output| {
            assert!(!output.status.success(), "{peer}");
            // The number of the thread comes first.
            let text = String::from_utf8(output.stderr).unwrap();
            text.lines()
                .map(|line| line.split_once("error:").map_or(line, |(_, rest)| rest).to_owned())
                .collect()
        });
        let [own, default]: [Vec<String>; 2] = told;
        assert_eq!(own, default, "{peer}");
    }
}

#[test]
fn documents_are_those_of_the_default_provider() {
    let folder = Folder::new();
    for group in [GROUPS[0], GROUPS[11], GROUPS[14]] {
        for command in [
            &format!("genpkey -genparam -algorithm {group} -out group.pem"),
            "genpkey -paramfile group.pem -out key.pem",
            "pkeyparam -in group.pem -check -noout",
            "pkey -in key.pem -check -pubcheck -noout",
            "pkey -in key.pem -pubout -out public.pem",
            "pkcs8 -topk8 -in key.pem -passout pass:secret -out key.p8",
        ] {
            succeeded(folder.openssl(command), command);
        }
        for read in [
            "pkey -in key.pem -text",
            "pkey -in public.pem -pubin -text",
            "pkeyparam -in group.pem -text",
            "pkey -in key.p8 -passin pass:secret -outform DER -out key.der",
        ] {
            let [own, default] =
                [folder.openssl(read), folder.default(read)].map(|told| succeeded(told, read));
            assert_eq!(own, default, "{read}");
        }
    }
    succeeded(folder.openssl("dhparam -out dhparam.pem 512"), "dhparam");
    succeeded(folder.default("dhparam -in dhparam.pem -check -noout"), "dhparam");
}

/// A message to a certificate of X9.42 \[RFC 2631\]: the default provider derives the key that wraps.
#[test]
fn messages_to_keys_of_x942_are_decrypted() {
    let folder = Folder::new();
    folder.write("message", "a message");
    for command in [
        "genpkey -algorithm DHX -pkeyopt group:dh_2048_256 -out dh.pem",
        "pkey -in dh.pem -pubout -out dh-public.pem",
        "req -x509 -newkey rsa:2048 -nodes -keyout ca.pem -subj /CN=CA -days 2 -out ca-certificate.pem",
        "req -new -key ca.pem -subj /CN=DH -out request.pem",
        "x509 -req -in request.pem -CA ca-certificate.pem -CAkey ca.pem -force_pubkey dh-public.pem -extfile none.cnf -out dh-certificate.pem",
        "cms -encrypt -in message -recip dh-certificate.pem -out encrypted",
        "cms -decrypt -in encrypted -recip dh-certificate.pem -inkey dh.pem -out decrypted",
    ] {
        succeeded(folder.openssl(command), command);
    }
    assert_eq!(String::from_utf8_lossy(&folder.read("decrypted")).trim_end(), "a message");
    let decrypt =
        "cms -decrypt -in encrypted -recip dh-certificate.pem -inkey dh.pem -out decrypted-by-default";
    succeeded(folder.default(decrypt), decrypt);
    assert_eq!(folder.read("decrypted"), folder.read("decrypted-by-default"));
}

/// Handshakes with ephemeral keys: monpro at the server, at the client, and at both.
#[test]
fn handshakes_agree_on_secrets() {
    let folder = certified("-algorithm RSA -pkeyopt rsa_keygen_bits:2048");
    succeeded(
        folder.default("genpkey -genparam -algorithm DH -pkeyopt dh_paramgen_prime_len:1024 -out group.pem"),
        "genpkey",
    );
    for (server, clients, handshakes) in
        [("monpro.cnf", ["none.cnf", "monpro.cnf"], 1), ("none.cnf", ["monpro.cnf"; 2], 2)]
    {
        for (of_server, of_client, key) in [
            (
                "-groups ffdhe2048:ffdhe3072:ffdhe4096:ffdhe6144:ffdhe8192",
                "-tls1_3 -groups ffdhe2048",
                "DH, 2048 bits",
            ),
            (
                "-groups ffdhe2048:ffdhe3072:ffdhe4096:ffdhe6144:ffdhe8192",
                "-tls1_3 -groups ffdhe3072",
                "DH, 3072 bits",
            ),
            (
                "-groups ffdhe2048:ffdhe3072:ffdhe4096:ffdhe6144:ffdhe8192",
                "-tls1_3 -groups ffdhe8192",
                "DH, 8192 bits",
            ),
            ("-groups ffdhe4096", "-tls1_3 -groups X25519:ffdhe4096", "DH, 4096 bits"),
            ("", "-tls1_2 -cipher DHE-RSA-AES128-GCM-SHA256", "DH, 2048 bits"),
            (
                "-dhparam group.pem -cipher DEFAULT@SECLEVEL=0",
                "-tls1_2 -cipher DHE-RSA-AES256-SHA256@SECLEVEL=0 -groups P-256",
                "DH, 1024 bits",
            ),
        ] {
            let port = free_port();
            let mut command = folder.command_with(server, "openssl");
            command.args([
                "s_server",
                "-accept",
                &port.to_string(),
                "-key",
                "key.pem",
                "-cert",
                "certificate.pem",
            ]);
            command.arg("-www").args(of_server.split_whitespace());
            let running = Running::spawn(command, port, "-TERM");
            for client in clients {
                let told = shake(&folder, client, port, of_client);
                assert!(told.contains(&format!("Temp Key: {key}")), "{of_client}: {told}");
            }
            drop(running);
            // A key and a secret; in a group without a name the default provider makes the key. The server ends by a signal,
            // and reports nothing.
            let own = if of_server.contains("-dhparam") { handshakes } else { 2 * handshakes };
            assert_eq!(folder.counts(), Counts { own, together: 0, handed_on: 0 }, "{server} {of_client}");
        }
    }
}

#[test]
fn all_of_this_with_other_versions_of_openssl() {
    support::again_with_other_versions("all_of_this_with_other_versions_of_openssl");
}
