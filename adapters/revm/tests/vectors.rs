//! Vectors in the format of go-ethereum, called through revm's contract of a fork with monpro installed.

use revm_precompile::modexp::{berlin_run, byzantium_run, osaka_run};
use revm_precompile::{Crypto, EthPrecompileResult, crypto};
use serde::Deserialize;
use std::path::Path;

/// A call of MODEXP: input and output in hexadecimal digits, and the gas.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Vector {
    name: String,
    input: String,
    expected: String,
    gas: u64,
}

/// A contract: input and limit of gas.
type Contract = fn(&[u8], u64) -> EthPrecompileResult;

fn bytes(digits: &str) -> Vec<u8> {
    let pair = |i| u8::from_str_radix(&digits[i..i + 2], 16).expect("hexadecimal digits");
    (0..digits.len()).step_by(2).map(pair).collect()
}

/// Calls the contract with every vector of the file; returns how many there are.
fn check(path: &Path, contract: Contract) -> usize {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let vectors: Vec<Vector> = serde_json::from_str(&text).expect("the file is a list of vectors");
    for Vector { name, input, expected, gas } in &vectors {
        let output = contract(&bytes(input), *gas).unwrap_or_else(|halt| panic!("{name}: {halt:?}"));
        assert_eq!((output.bytes.as_ref(), output.gas_used), (bytes(expected).as_slice(), *gas), "{name}");
        assert!(contract(&bytes(input), gas - 1).is_err(), "{name}: too little gas is enough");
    }
    vectors.len()
}

#[test]
fn contracts_compute_with_monpro() {
    monpro_revm::install().expect("nothing was called before");
    // Modulo 0 the default gives no bytes, and monpro as many as the modulus has: so it is known who answers.
    assert_eq!(crypto().modexp(&[5], &[1], &[0, 0]).as_deref(), Ok([0, 0].as_slice()));
    assert_ne!(revm_precompile::DefaultCrypto.modexp(&[5], &[1], &[0, 0]).as_deref(), Ok([0, 0].as_slice()));

    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/modexp.json");
    assert!(check(&own, osaka_run) > 40);

    // go-ethereum's own files, in its folder core/vm/testdata/precompiles. They are not copied here: their licence is
    // the LGPL.
    let Some(folder) = std::env::var_os("GETH_VECTORS") else {
        eprintln!("go-ethereum's vectors: NOT RUN: GETH_VECTORS does not name their folder");
        return;
    };
    let forks: [(&str, Contract); 3] = [
        ("modexp.json", byzantium_run),
        ("modexp_eip2565.json", berlin_run),
        ("modexp_eip7883.json", osaka_run),
    ];
    for (name, contract) in forks {
        let count = check(&Path::new(&folder).join(name), contract);
        assert!(count > 10);
        eprintln!("{name}: {count} vectors");
    }
}
