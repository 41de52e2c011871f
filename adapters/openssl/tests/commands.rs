//! The command `openssl` with monpro: the same as with the default provider alone, and by monpro where it should be.

mod support;

use std::path::Path;
use std::process::{Command, Output};
use support::{Counts, Folder, is_installed, succeeded};

/// The hash functions of the default provider, and whether monpro signs with them.
const DIGESTS: [(&str, bool); 15] = [
    ("md5", false),
    ("md5-sha1", false),
    ("sha1", false),
    ("ripemd160", false),
    ("sm3", false),
    ("sha224", true),
    ("sha256", true),
    ("sha384", true),
    ("sha512", true),
    ("sha512-224", true),
    ("sha512-256", true),
    ("sha3-224", true),
    ("sha3-256", true),
    ("sha3-384", true),
    ("sha3-512", true),
];

fn folder_with_key(bits: usize) -> Folder {
    let folder = Folder::new();
    succeeded(folder.default(&format!("genrsa -out key.pem {bits}")), "genrsa");
    succeeded(folder.default("rsa -in key.pem -pubout -out public.pem"), "rsa");
    folder.write("message", "a message");
    folder
}

#[test]
fn every_hash_signs_as_with_the_default_provider() {
    let folder = folder_with_key(2048);
    for (digest, is_own) in DIGESTS {
        let sign = format!("dgst -{digest} -sign key.pem -out");
        let (own, default) = (
            folder.openssl(&format!("{sign} own message")),
            folder.default(&format!("{sign} default message")),
        );
        assert_eq!(own.status.success(), default.status.success(), "{digest}");
        let counts = folder.counts();
        if !default.status.success() {
            continue; // OpenSSL 3.0 has no signatures with SM3.
        }
        let expected = Counts { own: u64::from(is_own), together: 0, handed_on: u64::from(!is_own) };
        assert_eq!(counts, expected, "{digest}");
        assert_eq!(folder.read("own"), folder.read("default"), "{digest}");
        let verify = format!("dgst -{digest} -verify public.pem -signature own message");
        succeeded(folder.openssl(&verify), digest);
        folder.write("message", "another message");
        assert!(!folder.openssl(&verify).status.success(), "{digest}");
        folder.write("message", "a message");
    }
}

#[test]
fn salts_of_every_length_verify_with_the_default_provider() {
    let folder = folder_with_key(1025);
    for (digest, salt, mgf1) in [
        ("sha256", "digest", "sha256"),
        ("sha256", "max", "sha512"),
        ("sha384", "auto", "sha384"),
        ("sha224", "0", "sha1"),
        ("sha3-256", "17", "sha3-256"),
        ("sha1", "20", "sha1"),
    ] {
        let options = format!(
            "-sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:{salt} -sigopt rsa_mgf1_md:{mgf1} message"
        );
        let sign = format!("dgst -{digest} -sign key.pem -out signature {options}");
        succeeded(folder.openssl(&sign), &sign);
        let is_own = u64::from(digest != "sha1");
        assert_eq!(folder.counts(), Counts { own: is_own, together: 0, handed_on: 1 - is_own }, "{sign}");
        let verify = format!("dgst -{digest} -verify public.pem -signature signature {options}");
        succeeded(folder.default(&verify), &verify);
        succeeded(folder.openssl(&verify), &verify);
    }
    let too_long = "dgst -sha512 -sign key.pem -out signature -sigopt rsa_padding_mode:pss -sigopt \
                    rsa_pss_saltlen:64 message";
    assert!(!folder.openssl(too_long).status.success());
    assert!(!folder.default(too_long).status.success());
}

/// A length of salts that OpenSSL has from version 3.1 on.
const AS_THE_HASH_OR_LESS: &str = "rsa_pss_saltlen:auto-digestmax";

/// What a command told, without the number of its thread.
fn told(output: &Output) -> Vec<String> {
    let text = String::from_utf8_lossy(&output.stderr);
    text.lines().map(|line| line.split_once("error:").map_or(line, |(_, rest)| rest).to_owned()).collect()
}

#[test]
fn keys_of_pss_keep_their_restrictions() {
    let folder = Folder::new();
    folder.write("message", "a message");
    let restricted = |hash: &str, salt| {
        let hashes = format!("-pkeyopt rsa_pss_keygen_md:{hash} -pkeyopt rsa_pss_keygen_mgf1_md:{hash}");
        format!("{hashes} -pkeyopt rsa_pss_keygen_saltlen:{salt}")
    };
    let salts = ["rsa_pss_saltlen:digest", "rsa_pss_saltlen:20", "rsa_pss_saltlen:45", "rsa_pss_saltlen:max"];
    for (restriction, allowed) in [
        (String::new(), [4, 4, 4]),
        (restricted("sha384", 40), [0, 3, 0]),
        (restricted("sha256", 40), [2, 0, 0]),
        (restricted("sha1", 20), [0, 0, 0]),
    ] {
        let make =
            format!("genpkey -algorithm RSA-PSS -pkeyopt rsa_keygen_bits:2048 {restriction} -out key.pem");
        succeeded(folder.openssl(&make), &make);
        succeeded(folder.openssl("pkey -in key.pem -pubout -out public.pem"), &make);
        let own_text = succeeded(folder.openssl("pkey -in key.pem -noout -text"), &make);
        assert_eq!(own_text, succeeded(folder.default("pkey -in key.pem -noout -text"), &make));
        for (digest, allowed) in ["sha256", "sha384", "sha3-256"].into_iter().zip(allowed) {
            let mut signatures = 0;
            let others = ["rsa_padding_mode:pkcs1", "rsa_mgf1_md:sha512", AS_THE_HASH_OR_LESS];
            for option in salts.into_iter().chain(others) {
                let sign = format!("dgst -{digest} -sign key.pem -sigopt {option} -out signature message");
                let default = folder.default(&sign);
                let _ = folder.counts();
                let own = folder.openssl(&sign);
                assert_eq!(told(&own), told(&default), "{restriction} {sign}");
                let is_signed = own.status.success();
                assert_eq!(folder.counts().own, u64::from(is_signed), "{restriction} {sign}");
                signatures += u32::from(is_signed && salts.contains(&option));
                if is_signed {
                    let verify =
                        format!("dgst -{digest} -verify public.pem -sigopt {option} -signature signature");
                    succeeded(folder.default(&format!("{verify} message")), &verify);
                    succeeded(folder.openssl(&format!("{verify} message")), &verify);
                }
            }
            assert_eq!(signatures, allowed, "{restriction} {digest}");
        }
        let encrypt = "pkeyutl -encrypt -inkey key.pem -in message";
        assert_eq!(told(&folder.openssl(encrypt)), told(&folder.default(encrypt)), "{restriction}");
    }
}

#[test]
fn keys_of_odd_sizes_and_of_three_primes_sign() {
    for (key, is_own) in [
        ("512", true),
        ("1023", true),
        ("2047", true),
        ("2050", true),
        ("5000", true),
        ("-primes 3 2048", false),
    ] {
        let folder = Folder::new();
        folder.write("message", "a message");
        succeeded(folder.default(&format!("genrsa -out key.pem {key}")), key);
        let sign = "dgst -sha256 -sign key.pem -out";
        succeeded(folder.openssl(&format!("{sign} own message")), key);
        succeeded(folder.default(&format!("{sign} default message")), key);
        assert_eq!(folder.read("own"), folder.read("default"), "{key}");
        let expected = Counts { own: u64::from(is_own), together: 0, handed_on: u64::from(!is_own) };
        assert_eq!(folder.counts(), expected, "{key}");
    }
}

#[test]
fn raw_signatures_are_those_of_the_default_provider() {
    let folder = folder_with_key(2048);
    folder.write("short", "thirty-two octets, without a hash");
    folder.write("whole", &format!("{:256}", "as long as the modulus"));
    folder.write("hash", "a hash that has thirty-two octet");
    for (command, options, input, counts) in [
        ("pkeyutl", "-pkeyopt rsa_padding_mode:pkcs1", "short", [1, 0]),
        ("pkeyutl", "-pkeyopt digest:sha256 -pkeyopt rsa_padding_mode:x931", "hash", [0, 1]),
        ("pkeyutl", "-pkeyopt rsa_padding_mode:none", "short", [0, 1]),
        ("rsautl", "-raw", "whole", [1, 0]),
        ("rsautl", "-pkcs", "whole", [0, 1]),
    ] {
        let sign = |name| format!("{command} -sign -inkey key.pem -in {input} -out {name} {options}");
        let (own, default) = (folder.openssl(&sign("own")), folder.default(&sign("default")));
        assert_eq!(own.status.success(), default.status.success(), "{options} {input}");
        let [own, handed_on] = counts;
        assert_eq!(folder.counts(), Counts { own, together: 0, handed_on }, "{options} {input}");
        if default.status.success() {
            assert_eq!(folder.read("own"), folder.read("default"), "{options} {input}");
            let recover = if command == "rsautl" { "-verify" } else { "-verifyrecover" };
            let recover =
                format!("{command} {recover} -pubin -inkey public.pem -in own -out recovered {options}");
            succeeded(folder.openssl(&recover), &recover);
            assert_eq!(folder.read("recovered"), folder.read(input), "{options} {input}");
        }
    }
}

#[test]
fn ciphertexts_decrypt_under_every_padding() {
    let folder = folder_with_key(2048);
    for (options, is_own) in [
        ("-pkeyopt rsa_padding_mode:pkcs1", true),
        ("-pkeyopt rsa_padding_mode:oaep", true),
        ("-pkeyopt rsa_padding_mode:oaep -pkeyopt rsa_oaep_md:sha256", true),
        ("-pkeyopt rsa_padding_mode:oaep -pkeyopt rsa_oaep_md:sha512 -pkeyopt rsa_mgf1_md:sha1", true),
        ("-pkeyopt rsa_padding_mode:oaep -pkeyopt rsa_oaep_label:6c6162656c", true),
        ("-pkeyopt rsa_padding_mode:oaep -pkeyopt rsa_oaep_md:md5", false),
    ] {
        let encrypt =
            format!("pkeyutl -encrypt -pubin -inkey public.pem -in message -out ciphertext {options}");
        succeeded(folder.openssl(&encrypt), options);
        let decrypt = format!("pkeyutl -decrypt -inkey key.pem -in ciphertext -out decrypted {options}");
        let _ = folder.counts();
        succeeded(folder.openssl(&decrypt), options);
        assert_eq!(folder.read("decrypted"), b"a message", "{options}");
        let expected = Counts { own: u64::from(is_own), together: 0, handed_on: u64::from(!is_own) };
        assert_eq!(folder.counts(), expected, "{options}");
        succeeded(folder.default(&decrypt), options);
        assert_eq!(folder.read("decrypted"), b"a message", "{options}");
    }
    let wrong = "pkeyutl -decrypt -inkey key.pem -in ciphertext -pkeyopt rsa_padding_mode:oaep";
    assert!(!folder.openssl(wrong).status.success());
}

#[test]
fn a_malformed_ciphertext_of_pkcs1_is_rejected_implicitly() {
    let folder = folder_with_key(2048);
    folder.write("whole", &format!("{:256}", "\0 no padding"));
    let encrypt =
        "pkeyutl -encrypt -pubin -inkey public.pem -in whole -out ciphertext -pkeyopt rsa_padding_mode:none";
    succeeded(folder.openssl(encrypt), "encrypt");
    for name in ["one", "other"] {
        succeeded(
            folder.openssl(&format!("pkeyutl -decrypt -inkey key.pem -in ciphertext -out {name}")),
            name,
        );
    }
    assert_eq!(folder.read("one"), folder.read("other"));
    // From OpenSSL 3.2 on, the default provider has the same rule.
    let decrypt = "pkeyutl -decrypt -inkey key.pem -in ciphertext -out default";
    if folder.default(decrypt).status.success() {
        assert_eq!(folder.read("default"), folder.read("one"));
    }
}

#[test]
fn requests_certificates_and_documents_are_right() {
    let folder = folder_with_key(2048);
    for command in [
        "genrsa -out made.pem 2048",
        "genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:1536 -pkeyopt rsa_keygen_pubexp:3 -out other.pem",
        "rsa -in made.pem -check -noout",
        "req -new -key key.pem -subj /CN=localhost -out request.pem",
        "req -in request.pem -verify -noout",
        "req -x509 -newkey rsa:2048 -nodes -keyout ca.pem -subj /CN=CA -days 2 -addext basicConstraints=critical,CA:TRUE -out ca-certificate.pem",
        "x509 -req -in request.pem -CA ca-certificate.pem -CAkey ca.pem -extfile none.cnf -days 2 -out certificate.pem",
        "verify -CAfile ca-certificate.pem certificate.pem",
        "req -x509 -key key.pem -subj /CN=PSS -sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:-1 -out pss.pem",
        "verify -CAfile pss.pem pss.pem",
        "genpkey -algorithm RSA-PSS -pkeyopt rsa_keygen_bits:2048 -out pss-key.pem",
        "req -x509 -key pss-key.pem -subj /CN=PSS -out pss-certificate.pem",
        "verify -CAfile pss-certificate.pem pss-certificate.pem",
        "pkcs12 -export -inkey key.pem -in certificate.pem -passout pass:secret -out key.p12",
        "pkcs12 -in key.p12 -passin pass:secret -nodes -out unpacked.pem",
        "pkcs8 -topk8 -in key.pem -passout pass:secret -out key.p8",
        "cms -sign -in message -signer certificate.pem -inkey key.pem -out signed",
        "cms -verify -in signed -CAfile ca-certificate.pem -out verified",
        "cms -encrypt -in message -out encrypted certificate.pem",
        "cms -decrypt -in encrypted -recip certificate.pem -inkey key.pem -out decrypted",
        "cms -encrypt -in message -recip certificate.pem -keyopt rsa_padding_mode:oaep -out oaep",
        "cms -decrypt -in oaep -recip certificate.pem -inkey key.pem -out decrypted-oaep",
    ] {
        succeeded(folder.openssl(command), command);
    }
    for (name, text) in
        [("decrypted", "a message"), ("decrypted-oaep", "a message"), ("verified", "a message")]
    {
        assert_eq!(String::from_utf8_lossy(&folder.read(name)).trim_end(), text, "{name}");
    }
    // From OpenSSL 3.2 on, `cms -decrypt` asks for an error in place of an implicit rejection.
    let Counts { own, handed_on, .. } = folder.counts();
    assert!(own + handed_on == 8 && handed_on <= 1, "{own} {handed_on}");
    succeeded(folder.default("verify -CAfile ca-certificate.pem certificate.pem"), "verify");
}

#[test]
fn the_provider_says_what_it_is() {
    let folder = Folder::new();
    let list = succeeded(folder.openssl("list -providers"), "list");
    assert!(
        list.contains("name: monpro: RSA, DH") && list.contains("name: OpenSSL Default Provider"),
        "{list}"
    );
    let list = succeeded(folder.openssl("list -signature-algorithms"), "list");
    assert!(list.contains("@ monpro"), "{list}");
}

#[test]
fn the_module_is_installed_and_removed() {
    if !is_installed("make", "make") {
        return;
    }
    let folder = folder_with_key(2048);
    let make = |target: &str| {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
        let prefix = format!("PREFIX={}", folder.path("prefix"));
        let command = ["--silent", "-C", root, target, "CARGO_PROFILE=dev", "DESTDIR=", &prefix];
        succeeded(Command::new("make").args(command).output().unwrap(), target);
    };
    make("install-openssl");
    let openssl = |arguments: &str| {
        let mut command = folder.command_with("prefix/share/monpro/openssl.cnf", "openssl");
        succeeded(command.args(arguments.split(' ')).output().unwrap(), arguments)
    };
    let list = openssl("list -providers");
    assert!(list.contains("name: monpro: RSA, DH"), "{list}");
    openssl("dgst -sha256 -sign key.pem -out signature message");
    succeeded(folder.default("dgst -sha256 -verify public.pem -signature signature message"), "dgst");
    make("uninstall-openssl");
    assert!(!Path::new(&folder.path("prefix/share/monpro")).exists());
    assert!(!Path::new(&folder.path("prefix/lib/ossl-modules")).exists());
}

#[test]
fn wrong_configurations_do_what_the_page_says() {
    let folder = folder_with_key(2048);
    let right = folder.configuration();
    let sign = ["dgst", "-sha256", "-sign", "key.pem", "-out", "signature", "message"];
    let outcome = |wrong: &str, right_part: &str, wrong_part: &str| {
        folder.write(wrong, &right.replacen(right_part, wrong_part, 1));
        let output = folder.command_with(wrong, "openssl").args(sign).output().unwrap();
        (output.status.success(), folder.counts().own)
    };
    let query = "default_properties = ?provider=monpro";
    assert_eq!(outcome("right.cnf", "", ""), (true, 1));
    // Without a query, monpro is loaded and its signatures are not preferred.
    assert!(outcome("no-query.cnf", query, "").0);
    // Without the question mark, everything that monpro lacks is missing.
    assert!(!outcome("strict.cnf", query, "default_properties = provider=monpro").0);
    // Without the default provider, hashes and formats of keys are missing.
    assert!(!outcome("no-default.cnf", "default = default_section\n", "").0);
    // A module that is not there is passed over by OpenSSL.
    let (is_signed, own) = outcome("no-module.cnf", "libmonpro_openssl.so", "missing.so");
    assert!(own == 0 && is_signed);
}

#[test]
fn all_of_this_with_other_versions_of_openssl() {
    support::again_with_other_versions("all_of_this_with_other_versions_of_openssl");
}
